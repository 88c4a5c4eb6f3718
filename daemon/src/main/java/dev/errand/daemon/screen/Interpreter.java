package dev.errand.daemon.screen;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.BitSet;
import org.jline.utils.ScreenTerminal;
import org.jline.utils.WCWidth;

/**
 * Passes to the emulator what it handles correctly, and does the rest itself.
 *
 * <p>The emulator handles most of what programs send. Its differences from xterm were found by
 * comparison, and are corrected here: tab stops, long or odd colour sequences, a line's end at
 * which a cursor movement forgets the wrap, wide characters in the last column, numbers that are
 * too large, sequences with a private mark that it confuses with others, strings with controls in
 * them. It keeps all lines that scrolled off, so their number is limited here too.
 */
final class Interpreter implements TerminalTokenizer.Parts {
  private static final String CSI = "\u001b[";

  /** How much text is collected before the emulator gets it; bounds what scrolls off at once. */
  private static final int COLLECTED_CHARS_MAX = 2048;

  /** No terminal is wider. */
  private static final int TABS_END = 1024;

  private static final int TAB_WIDTH = 8;
  private static final int TITLE_CHARS_MAX = 512;

  /** The background's flag and colour in a cell. */
  private static final long BACKGROUND = 0x2000_0FFF_0000_0000L;

  private final ScreenTerminal terminal;
  private final TerminalFields fields;
  private final int historyLinesMax;
  private final StringBuilder collected = new StringBuilder();
  private final BitSet tabs = new BitSet();
  private final TerminalModes modes = new TerminalModes();
  private String title = "";
  private int lastCharacter;
  private boolean approximateMain;
  private boolean approximateAlternate;

  Interpreter(ScreenTerminal terminal, TerminalFields fields, int historyLinesMax) {
    this.terminal = terminal;
    this.fields = fields;
    this.historyLinesMax = historyLinesMax;
    resetTabs();
  }

  String title() {
    return title;
  }

  TerminalModes modes() {
    return modes;
  }

  BitSet tabs() {
    return tabs;
  }

  boolean isApproximate() {
    return fields.isAlternate() ? approximateAlternate : approximateMain;
  }

  /** Bytes are missing before what comes next. */
  void missed() {
    approximateMain = true;
    approximateAlternate = true;
  }

  /** Passes all collected text to the emulator; nothing may be read from it before. */
  void flush() {
    if (!collected.isEmpty()) {
      terminal.write(collected);
      collected.setLength(0);
      fields.trimHistory(historyLinesMax);
    }
  }

  private void now(String sequence) {
    collected.append(sequence);
    flush();
  }

  @Override
  public void text(String text) {
    if (text.length() < COLLECTED_CHARS_MAX && text.chars().allMatch(it -> it < 0x7f)) {
      collected.append(text);
      lastCharacter = text.charAt(text.length() - 1);
      flushIfMuch();
      return;
    }
    for (var i = 0; i < text.length(); ) {
      var character = text.codePointAt(i);
      character(character);
      i += Character.charCount(character);
    }
  }

  private void character(int character) {
    if (character < 0x7f) {
      print(character);
      return;
    }
    var width = isInvisible(character) ? 0 : WCWidth.wcwidth(character);
    if (width <= 0) {
      return;
    }
    if (width == 2) {
      makeRoomForWide();
    }
    print(character);
  }

  private static boolean isInvisible(int character) {
    return switch (Character.getType(character)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          true;
      // The emulator treats the codes of some rare characters as controls.
      default -> (character & 0xffe0) == 0x0080;
    };
  }

  private void print(int character) {
    collected.appendCodePoint(character);
    lastCharacter = character;
    flushIfMuch();
  }

  private void flushIfMuch() {
    if (collected.length() >= COLLECTED_CHARS_MAX) {
      flush();
    }
  }

  /** A wide character does not fit into the last column: it goes to the next line as a whole. */
  private void makeRoomForWide() {
    flush();
    var atLast = fields.cursorCol() == terminal.getColumns() - 1;
    if (atLast && !fields.wrapIsDue() && fields.wraps()) {
      now("\r\n");
    }
    if (fields.inserts()) {
      now(CSI + "@");
    }
  }

  @Override
  public void control(int code) {
    switch (code) {
      case '\r', '\b', 0x0e, 0x0f -> collected.append((char) code);
      case '\n', 0x0b, 0x0c -> lineFeed();
      case '\t' -> tab(1);
      default -> {} // Bells and others are not visible.
    }
  }

  private void lineFeed() {
    var afterReturn = !collected.isEmpty() && collected.charAt(collected.length() - 1) == '\r';
    if (!afterReturn) {
      flush();
      fields.forgetWrap();
    }
    collected.append('\n');
    flushIfMuch();
  }

  private void tab(int stops) {
    flush();
    var last = terminal.getColumns() - 1;
    var col = fields.cursorCol();
    for (var i = 0; i < Math.min(Math.abs(stops), TABS_END) && col >= 0 && col < last; i++) {
      var next = stops > 0 ? tabs.nextSetBit(col + 1) : tabs.previousSetBit(col - 1);
      col = next >= 0 ? next : stops > 0 ? last : 0;
      if (col == 0) {
        break;
      }
    }
    now(CSI + (Math.clamp(col, 0, last) + 1) + "G");
  }

  private void resetTabs() {
    tabs.clear();
    for (var col = TAB_WIDTH; col < TABS_END; col += TAB_WIDTH) {
      tabs.set(col);
    }
  }

  @Override
  public void escape(String between, char last) {
    if (between.equals("(") || between.equals(")")) {
      collected.append('\u001b').append(between).append(last == '0' ? '0' : 'B');
    } else if (between.equals("#") && last == '8') {
      now("\u001b#8");
    } else if (between.isEmpty()) {
      escape(last);
    }
  }

  private void escape(char last) {
    switch (last) {
      case '7', 'E' -> now("\u001b" + last);
      case '8', 'D', 'M' -> {
        flush();
        fields.forgetWrap();
        now("\u001b" + last);
      }
      case 'H' -> {
        flush();
        tabs.set(fields.cursorCol());
      }
      case '=', '>' -> modes.keypad(last == '=');
      case 'c' -> reset();
      default -> {} // Nothing visible.
    }
  }

  /** Resets to a fresh terminal, whatever was missed before. */
  void reset() {
    now("\u001bc");
    fields.forgetWrap();
    resetTabs();
    modes.reset();
    lastCharacter = 0;
    approximateMain = false;
    approximateAlternate = false;
  }

  @Override
  public void sequence(ControlSequence it) {
    if (it.letter() == 'h' || it.letter() == 'l') {
      switchModes(it, it.letter() == 'h');
    } else if (it.isPlain()) {
      plain(it);
    } else if (it.isPrivate() && (it.letter() == 'J' || it.letter() == 'K')) {
      erase(it);
    } else if (it.mark().isEmpty() && it.between().equals("!") && it.letter() == 'p') {
      now(CSI + "!p");
      modes.softReset();
    } else if (it.mark().isEmpty() && it.between().equals(" ") && it.letter() == 'q') {
      modes.cursorStyle(Math.min(it.first(0), 6));
    }
  }

  private void plain(ControlSequence it) {
    switch (it.letter()) {
      case 'm' -> look(it.parameters());
      case 'A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'f', '`', 'a', 'd', 'e', 'r' -> act(it);
      case 'J', 'K', '@', 'L', 'M', 'P', 'S', 'T', 'X' -> erase(it);
      case 'b' -> repeat(it.first(1));
      case 'I' -> tab(it.first(1));
      case 'Z' -> tab(-it.first(1));
      case 'g' -> clearTabs(it.numbers()[0]);
      case 's', 'u' -> {
        if (it.parameters().isEmpty()) {
          escape(it.letter() == 's' ? '7' : '8');
        }
      }
      default -> {} // Requests an answer, or changes nothing visible.
    }
  }

  private void look(String parameters) {
    for (var piece : Sgr.pieces(parameters)) {
      if (piece.equals(Sgr.DEFAULT_BACKGROUND)) {
        flush();
        fields.look(fields.look() & ~BACKGROUND);
      } else {
        collected.append(CSI).append(piece).append('m');
      }
    }
  }

  /** After a sequence that moves the cursor or changes cells no wrap is pending. */
  private void act(ControlSequence it) {
    var text = new StringBuilder(CSI);
    var numbers = it.numbers();
    for (var i = 0; i < numbers.length; i++) {
      if (numbers[i] < 0) {
        return;
      }
      text.append(i == 0 ? "" : ";").append(numbers[i] == 0 ? "" : Integer.toString(numbers[i]));
    }
    now(text.append(it.letter()).toString());
    fields.forgetWrap();
  }

  /** Erased cells take the background colour and no other part of the style. */
  private void erase(ControlSequence it) {
    flush();
    if (it.letter() == 'J' && clearsAll(it.numbers()[0])) {
      seenFresh();
    }
    var look = fields.look();
    fields.look(look & BACKGROUND);
    act(it);
    fields.look(look);
  }

  private boolean clearsAll(int kind) {
    return kind == 2 || (kind == 0 && fields.cursorRow() == 0 && fields.cursorCol() == 0);
  }

  private void seenFresh() {
    if (fields.isAlternate()) {
      approximateAlternate = false;
    } else {
      approximateMain = false;
    }
  }

  private void repeat(int times) {
    if (lastCharacter == 0) {
      return;
    }
    for (var i = 0; i < Math.min(times, terminal.getColumns()); i++) {
      character(lastCharacter);
    }
  }

  private void clearTabs(int kind) {
    flush();
    if (kind == 0) {
      tabs.clear(fields.cursorCol());
    } else if (kind == 3) {
      tabs.clear();
    }
  }

  private void switchModes(ControlSequence it, boolean on) {
    if (!it.isPlain() && !it.isPrivate()) {
      return;
    }
    for (var mode : it.numbers()) {
      if (it.isPrivate()) {
        switchPrivateMode(mode, on);
      } else if (mode == 4 || mode == 20) {
        collected.append(CSI).append(mode).append(on ? 'h' : 'l');
      }
    }
  }

  private void switchPrivateMode(int mode, boolean on) {
    modes.set(mode, on);
    switch (mode) {
      case 1, 5, 6, 7, 25 -> now(CSI + "?" + mode + (on ? "h" : "l"));
      case 47, 1047, 1049 -> switchScreen(mode, on);
      case 1048 -> escape(on ? '7' : '8');
      default -> {} // No other is visible.
    }
  }

  private void switchScreen(int mode, boolean on) {
    flush();
    if (on == fields.isAlternate()) {
      return;
    }
    if (on && mode == 1049) {
      now("\u001b7");
    }
    var row = fields.cursorRow();
    var col = fields.cursorCol();
    now(CSI + (on ? "?1049h" : "?1049l"));
    fields.cursor(row, col);
    fields.forgetWrap();
    if (on) {
      // No program can rely on what was saved when it was last shown.
      now("\u001b7");
      approximateAlternate = false;
    } else if (mode == 1049) {
      now("\u001b8");
    }
  }

  @Override
  public void command(String content) {
    if (content.startsWith("0;") || content.startsWith("2;")) {
      var text = new StringBuilder();
      content
          .substring(2)
          .codePoints()
          .filter(it -> it >= 0x20 && it != 0x7f && !isInvisible(it))
          .limit(TITLE_CHARS_MAX)
          .forEach(text::appendCodePoint);
      title = text.toString();
    }
  }

  void write(DataOutputStream out) throws IOException {
    out.writeUTF(title);
    out.writeInt(lastCharacter);
    out.writeBoolean(approximateMain);
    out.writeBoolean(approximateAlternate);
    TerminalFields.writeInts(out, tabs.stream().toArray());
    modes.write(out);
  }

  void read(DataInputStream in) throws IOException {
    title = in.readUTF();
    lastCharacter = in.readInt();
    approximateMain = in.readBoolean();
    approximateAlternate = in.readBoolean();
    tabs.clear();
    for (var col : TerminalFields.readInts(in)) {
      tabs.set(col);
    }
    modes.read(in);
  }
}
