package dev.errand.cli.attach;

import java.nio.charset.StandardCharsets;
import java.util.TreeSet;

/**
 * Watches what goes to the terminal for the private modes that it sets (alternate screen, mouse,
 * pasting, cursor), so that they can be undone when the task is left. For one thread.
 */
final class Modes {
  private static final int CURSOR_SHOWN = 25;
  private static final int AUTO_WRAP = 7;
  private static final int ALTERNATE_SCREEN = 1049;
  private static final int DIGITS_MAX = 5;
  private static final int PARAMETERS_MAX = 16;

  private enum Place {
    TEXT,
    ESCAPE,
    CONTROL,
    PRIVATE
  }

  private final TreeSet<Integer> set = new TreeSet<>();
  private final StringBuilder parameters = new StringBuilder();
  private Place place = Place.TEXT;
  private boolean touched;

  void watch(byte[] bytes) {
    touched |= bytes.length > 0;
    for (var value : bytes) {
      place = next((char) (value & 0xFF));
    }
  }

  private Place next(char it) {
    if (it == '\033') {
      return Place.ESCAPE;
    }
    return switch (place) {
      case TEXT -> Place.TEXT;
      case ESCAPE -> it == '[' ? Place.CONTROL : Place.TEXT;
      case CONTROL -> {
        parameters.setLength(0);
        yield it == '?' ? Place.PRIVATE : Place.TEXT;
      }
      case PRIVATE -> inPrivate(it);
    };
  }

  private Place inPrivate(char it) {
    if ((it >= '0' && it <= '9') || it == ';') {
      parameters.append(it);
      return parameters.length() > PARAMETERS_MAX * (DIGITS_MAX + 1) ? Place.TEXT : Place.PRIVATE;
    }
    if (it == 'h' || it == 'l') {
      for (var mode : parameters.toString().split(";", -1)) {
        change(mode, it == 'h');
      }
    }
    return Place.TEXT;
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
