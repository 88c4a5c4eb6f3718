package dev.errand.cli.attach;

import dev.errand.wire.terminal.EscapeParser;
import dev.errand.wire.terminal.EscapeParser.Part;
import dev.errand.wire.terminal.EscapeParser.State;
import java.nio.charset.StandardCharsets;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Watches what goes to the terminal for the private modes that it sets (alternate screen, mouse,
 * pasting, cursor), so that they can be undone when the task is left. For one thread.
 */
final class ChangedModes {
  private static final int CURSOR_SHOWN = 25;
  private static final int AUTO_WRAP = 7;
  private static final int ALTERNATE_SCREEN = 1049;
  private static final int DIGITS_MAX = 5;
  private static final int PARAMETERS_CHARS_MAX = 16 * (DIGITS_MAX + 1);
  private static final Pattern PRIVATE_MODES = Pattern.compile("\\?[0-9;]*");

  private final TreeSet<Integer> set = new TreeSet<>();
  private final EscapeParser parser = new EscapeParser();
  private final StringBuilder parameters = new StringBuilder();
  private boolean touched;

  void watch(byte[] bytes) {
    touched |= bytes.length > 0;
    for (var value : bytes) {
      next(value & 0xff);
    }
  }

  private void next(int code) {
    var inSequence = parser.state() == State.SEQUENCE;
    var part = parser.next(code);
    if (!inSequence) {
      parameters.setLength(0);
    } else if (part == Part.INSIDE && parameters.length() <= PARAMETERS_CHARS_MAX) {
      parameters.append((char) code);
    } else if (part == Part.END && (code == 'h' || code == 'l')) {
      changeAll(parameters, code == 'h');
    }
  }

  private void changeAll(CharSequence list, boolean on) {
    if (list.length() <= PARAMETERS_CHARS_MAX && PRIVATE_MODES.matcher(list).matches()) {
      for (var mode : list.toString().substring(1).split(";", -1)) {
        change(mode, on);
      }
    }
  }

  private void change(String mode, boolean on) {
    if (mode.isEmpty() || mode.length() > DIGITS_MAX) {
      return;
    }
    var number = Integer.parseInt(mode);
    // These two are on in a terminal that nobody has touched.
    var standard = number == CURSOR_SHOWN || number == AUTO_WRAP;
    if (on != standard) {
      set.add(number);
    } else {
      set.remove(number);
    }
  }

  /** What brings the terminal back; nothing where nothing was written. */
  byte[] undo() {
    if (!touched) {
      return new byte[0];
    }
    var text = new StringBuilder();
    for (var mode : set) {
      if (mode != ALTERNATE_SCREEN) {
        var standard = mode == CURSOR_SHOWN || mode == AUTO_WRAP;
        text.append("\033[?").append(mode).append(standard ? 'h' : 'l');
      }
    }
    // A soft reset: margins, colours, insert mode, keypad; the cursor stays where it is.
    text.append("\033[!p\033[?25h\033[m");
    if (set.contains(ALTERNATE_SCREEN)) {
      text.append("\033[?1049l");
    }
    return text.toString().getBytes(StandardCharsets.US_ASCII);
  }
}
