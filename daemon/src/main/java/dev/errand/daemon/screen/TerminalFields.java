package dev.errand.daemon.screen;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jline.utils.ScreenTerminal;

/**
 * The private fields of the emulator, which has no methods for them: the state that is needed to
 * continue later, and a few that this package corrects.
 *
 * <p>The fields are those of one version of the library. A version with other fields is refused
 * here by name.
 */
final class TerminalFields {
  private static final MethodHandles.Lookup LOOKUP = lookup();

  private static final List<String> NUMBERS =
      List.of(
          "cx",
          "cy",
          "vt100_charset_g_sel",
          "vt100_alternate_cx",
          "vt100_alternate_cy",
          "scroll_area_y0",
          "scroll_area_y1");

  private static final List<String> FLAGS =
      List.of(
          "eol",
          "vt100_mode_autowrap",
          "vt100_mode_insert",
          "vt100_charset_is_graphical",
          "vt100_mode_lfnewline",
          "vt100_mode_origin",
          "vt100_mode_inverse",
          "vt100_mode_cursorkey",
          "vt100_mode_cursor",
          "vt100_mode_alt_screen");

  private static final List<String> GRIDS = List.of("screen", "screen2");
  private static final List<String> HISTORIES = List.of("history", "history2");
  private static final List<String> SAVED = List.of("vt100_saved", "vt100_saved2");

  /**
   * Never changed by what reaches the emulator here: it is made with its size, gets whole sequences
   * only, none of those that switch the width or ask for an answer, and tab stops are kept outside.
   */
  private static final List<String> AT_REST =
      List.of(
          "columns",
          "rows",
          "eatNewlineGlitch",
          "vt100_parse_state",
          "vt100_parse_len",
          "vt100_lastchar",
          "vt100_parse_func",
          "vt100_parse_param",
          "vt100_charset_is_single_shift",
          "vt100_mode_backspace",
          "vt100_mode_column_switch",
          "vt100_mode_synchronized_output",
          "vt100_keyfilter_escape",
          "vt100_out",
          "vt100_saved_cx",
          "vt100_saved_cy",
          "tab_stops",
          "dirty");

  private static final VarHandle ATTR = handle("attr", long.class);
  private static final VarHandle CHARSETS = handle("vt100_charset_g", int[].class);
  private static final VarHandle CX = handle("cx", int.class);
  private static final VarHandle CY = handle("cy", int.class);
  private static final VarHandle EOL = handle("eol", boolean.class);
  private static final VarHandle AUTOWRAP = handle("vt100_mode_autowrap", boolean.class);
  private static final VarHandle INSERT = handle("vt100_mode_insert", boolean.class);
  private static final VarHandle ALTERNATE = handle("vt100_mode_alt_screen", boolean.class);
  private static final List<VarHandle> NUMBER_HANDLES = handles(NUMBERS, int.class);
  private static final List<VarHandle> FLAG_HANDLES = handles(FLAGS, boolean.class);
  private static final List<VarHandle> GRID_HANDLES = handles(GRIDS, long[][].class);
  private static final List<VarHandle> HISTORY_HANDLES = handles(HISTORIES, List.class);
  private static final Class<?> SAVED_STATE = SavedCursor.type(LOOKUP);
  private static final List<VarHandle> SAVED_HANDLES = handles(SAVED, SAVED_STATE);
  private static final MethodHandle NEW_SAVED_STATE = SavedCursor.constructor(LOOKUP, SAVED_STATE);

  private final ScreenTerminal terminal;

  TerminalFields(ScreenTerminal terminal) {
    this.terminal = terminal;
  }

  int cursorRow() {
    return (int) CY.get(terminal);
  }

  int cursorCol() {
    return (int) CX.get(terminal);
  }

  void cursor(int row, int col) {
    CY.set(terminal, row);
    CX.set(terminal, col);
  }

  /** Whether the last column was written and the next character goes to the next line. */
  boolean wrapIsDue() {
    return (boolean) EOL.get(terminal);
  }

  void forgetWrap() {
    EOL.set(terminal, false);
  }

  boolean wraps() {
    return (boolean) AUTOWRAP.get(terminal);
  }

  boolean inserts() {
    return (boolean) INSERT.get(terminal);
  }

  boolean isAlternate() {
    return (boolean) ALTERNATE.get(terminal);
  }

  boolean flag(String name) {
    return (boolean) FLAG_HANDLES.get(FLAGS.indexOf(name)).get(terminal);
  }

  int number(String name) {
    return (int) NUMBER_HANDLES.get(NUMBERS.indexOf(name)).get(terminal);
  }

  /** The colours and style of what is written next, as the upper half of a cell. */
  long look() {
    return (long) ATTR.get(terminal);
  }

  void look(long look) {
    ATTR.set(terminal, look);
  }

  int[] charsets() {
    return ((int[]) CHARSETS.get(terminal)).clone();
  }

  SavedCursor savedCursor() {
    return SavedCursor.of(LOOKUP, SAVED_HANDLES.getFirst().get(terminal));
  }

  SavedCursor hiddenSavedCursor() {
    return SavedCursor.of(LOOKUP, SAVED_HANDLES.getLast().get(terminal));
  }

  /** The rows that are not shown now: of the main screen while the alternate one is. */
  long[][] hiddenRows() {
    return (long[][]) GRID_HANDLES.getLast().get(terminal);
  }

  @SuppressWarnings("unchecked") // The library declares it so.
  private static List<long[]> history(VarHandle handle, ScreenTerminal terminal) {
    return (List<long[]>) handle.get(terminal);
  }

  /** Rows that scrolled off the main screen, oldest first; shared, and not to be changed. */
  List<long[]> history() {
    return history(HISTORY_HANDLES.get(isAlternate() ? 1 : 0), terminal);
  }

  /** The library keeps all lines that scrolled off. */
  void trimHistory(int linesMax) {
    for (var handle : HISTORY_HANDLES) {
      var lines = history(handle, terminal);
      if (lines.size() > linesMax) {
        lines.subList(0, lines.size() - linesMax).clear();
      }
    }
  }

  void write(DataOutputStream out) throws IOException {
    out.writeLong(look());
    for (var handle : NUMBER_HANDLES) {
      out.writeInt((int) handle.get(terminal));
    }
    for (var handle : FLAG_HANDLES) {
      out.writeBoolean((boolean) handle.get(terminal));
    }
    writeInts(out, charsets());
    for (var handle : SAVED_HANDLES) {
      SavedCursor.of(LOOKUP, handle.get(terminal)).write(out);
    }
    for (var handle : GRID_HANDLES) {
      writeRows(out, Arrays.asList((long[][]) handle.get(terminal)));
    }
    for (var handle : HISTORY_HANDLES) {
      writeRows(out, history(handle, terminal));
    }
  }

  void read(DataInputStream in) throws IOException {
    look(in.readLong());
    for (var handle : NUMBER_HANDLES) {
      handle.set(terminal, in.readInt());
    }
    for (var handle : FLAG_HANDLES) {
      handle.set(terminal, in.readBoolean());
    }
    CHARSETS.set(terminal, readInts(in));
    for (var handle : SAVED_HANDLES) {
      handle.set(terminal, SavedCursor.read(in).toLibrary(NEW_SAVED_STATE));
    }
    for (var handle : GRID_HANDLES) {
      handle.set(terminal, readRows(in).toArray(long[][]::new));
    }
    for (var handle : HISTORY_HANDLES) {
      handle.set(terminal, readRows(in));
    }
  }

  private static void writeRows(DataOutputStream out, List<long[]> rows) throws IOException {
    out.writeInt(rows.size());
    for (var row : rows) {
      out.writeInt(row.length);
      for (var cell : row) {
        out.writeLong(cell);
      }
    }
  }

  private static List<long[]> readRows(DataInputStream in) throws IOException {
    var count = in.readInt();
    var rows = new ArrayList<long[]>();
    for (var i = 0; i < count; i++) {
      var row = new long[in.readInt()];
      for (var j = 0; j < row.length; j++) {
        row[j] = in.readLong();
      }
      rows.add(row);
    }
    return rows;
  }

  static void writeInts(DataOutputStream out, int[] values) throws IOException {
    out.writeInt(values.length);
    for (var value : values) {
      out.writeInt(value);
    }
  }

  static int[] readInts(DataInputStream in) throws IOException {
    var values = new int[in.readInt()];
    for (var i = 0; i < values.length; i++) {
      values[i] = in.readInt();
    }
    return values;
  }

  private static MethodHandles.Lookup lookup() {
    try {
      return MethodHandles.privateLookupIn(ScreenTerminal.class, MethodHandles.lookup());
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("the emulator's fields cannot be read", e);
    }
  }

  private static VarHandle handle(String name, Class<?> type) {
    refuseOthers();
    try {
      return LOOKUP.findVarHandle(ScreenTerminal.class, name, type);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("another version of the emulator: no field " + name, e);
    }
  }

  private static List<VarHandle> handles(List<String> names, Class<?> type) {
    return names.stream().map(it -> handle(it, type)).toList();
  }

  private static void refuseOthers() {
    var known = new TreeSet<>(Set.of("attr", "vt100_charset_g"));
    for (var names : List.of(NUMBERS, FLAGS, GRIDS, HISTORIES, SAVED, AT_REST)) {
      known.addAll(names);
    }
    var found =
        Arrays.stream(ScreenTerminal.class.getDeclaredFields())
            .filter(it -> !Modifier.isStatic(it.getModifiers()))
            .map(it -> it.getName())
            .collect(Collectors.toCollection(TreeSet::new));
    if (!found.equals(known)) {
      throw new IllegalStateException("another version of the emulator, with fields " + found);
    }
  }
}
