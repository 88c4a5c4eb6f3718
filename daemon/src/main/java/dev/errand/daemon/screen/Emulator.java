package dev.errand.daemon.screen;

import dev.errand.daemon.screen.TerminalTokenizer.Inside;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jline.terminal.Size;
import org.jline.utils.ScreenTerminal;

/**
 * One terminal: from bytes and sizes in their order it computes what is seen. Used by one thread at
 * a time.
 */
final class Emulator {
  /** The limits of scrolled-off text that is kept, in lines and in cells. */
  static final int HISTORY_LINES_MAX = 2_000;

  private static final int HISTORY_CELLS_MAX = 400_000;

  /** The library has a minimum size; a smaller screen is cut from it. */
  private static final int SIDE_MIN = 2;

  private final ScreenTerminal terminal;
  private final TerminalFields fields;
  private final Interpreter interpreter;
  private final TerminalTokenizer stream;
  private int rows;
  private int cols;

  Emulator(int rows, int cols) {
    this.rows = rows;
    this.cols = cols;
    terminal = new ScreenTerminal(Math.max(SIDE_MIN, cols), Math.max(SIDE_MIN, rows));
    fields = new TerminalFields(terminal);
    var linesMax = Math.min(HISTORY_LINES_MAX, HISTORY_CELLS_MAX / Math.max(1, cols));
    interpreter = new Interpreter(terminal, fields, linesMax);
    stream = new TerminalTokenizer(interpreter);
  }

  /**
   * Takes what is complete and returns its end. The rest is the start of a character or sequence,
   * and has to come again together with what follows it.
   */
  int feed(byte[] bytes, int from, int to) {
    var end = stream.feed(bytes, from, to);
    interpreter.flush();
    return end;
  }

  void resize(int newRows, int newCols) {
    rows = newRows;
    cols = newCols;
    terminal.setSize(Size.of(Math.max(SIDE_MIN, newCols), Math.max(SIDE_MIN, newRows)));
    fields.forgetWrap();
  }

  /** Another process begins, in a fresh terminal. */
  void begin(int newRows, int newCols) {
    stream.inside(Inside.NOTHING);
    resize(newRows, newCols);
    interpreter.reset();
  }

  /** Some bytes are missing; what follows is drawn over what was seen before them. */
  void missed() {
    stream.inside(Inside.NOTHING);
    interpreter.missed();
  }

  /** What is seen now. */
  Screen screen(long seq, long offset) {
    var grid = new long[terminal.getRows()][];
    var cells = new long[terminal.getRows() * terminal.getColumns()];
    terminal.dump(cells, new int[2]);
    for (var row = 0; row < grid.length; row++) {
      grid[row] =
          Arrays.copyOfRange(cells, row * terminal.getColumns(), (row + 1) * terminal.getColumns());
    }
    var cursor =
        new Screen.Cursor(
            Math.clamp(fields.cursorRow(), 0, rows - 1),
            Math.clamp(fields.cursorCol(), 0, cols - 1),
            fields.flag("vt100_mode_cursor"));
    return new Screen(
        seq,
        offset,
        rows,
        cols,
        cursor,
        interpreter.title(),
        fields.isAlternate(),
        interpreter.isApproximate(),
        Grid.of(rows, cols, List.of(grid)),
        details());
  }

  private ScreenDetails details() {
    return new ScreenDetails(
        interpreter.modes().sequences(),
        interpreter.tabs().stream().boxed().toList(),
        fields.look(),
        fields.wrapIsDue(),
        fields.wraps(),
        fields.inserts(),
        fields.flag("vt100_mode_lfnewline"),
        fields.flag("vt100_mode_origin"),
        fields.flag("vt100_mode_inverse"),
        new ScreenDetails.Charsets(
            fields.number("vt100_charset_g_sel"),
            Arrays.stream(fields.charsets()).boxed().toList()),
        fields.number("scroll_area_y0"),
        fields.number("scroll_area_y1"),
        fields.savedCursor(),
        fields.isAlternate() ? hidden() : null);
  }

  private ScreenDetails.Hidden hidden() {
    return new ScreenDetails.Hidden(
        Grid.of(rows, cols, List.of(fields.hiddenRows())), fields.hiddenSavedCursor());
  }

  /** The lines that scrolled off the main screen and are still known, oldest first. */
  List<String> history() {
    var lines = new ArrayList<String>();
    for (var row : fields.history()) {
      lines.add(Grid.of(1, row.length, List.of(row)).line(0));
    }
    return lines;
  }

  void write(DataOutputStream out) throws IOException {
    out.writeInt(rows);
    out.writeInt(cols);
    out.writeUTF(stream.inside().name());
    interpreter.write(out);
    fields.write(out);
  }

  static Emulator read(DataInputStream in) throws IOException {
    var emulator = new Emulator(in.readInt(), in.readInt());
    emulator.stream.inside(Inside.valueOf(in.readUTF()));
    emulator.interpreter.read(in);
    emulator.fields.read(in);
    return emulator;
  }
}
