package dev.errand.cli.terminal;

import dev.errand.core.task.TerminalSize;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Pattern;

/** The size of the caller's terminal window, read with {@code stty}. */
public final class WindowSize {
  private static final Pattern ROWS_AND_COLUMNS = Pattern.compile("(\\d{1,4}) (\\d{1,4})\\s*");

  private WindowSize() {}

  /** Empty without a window, or if it does not report a size. */
  public static Optional<TerminalSize> of(Terminal terminal) {
    if (!terminal.inIsTerminal() && !terminal.outIsTerminal()) {
      return Optional.empty();
    }
    try {
      var stty =
          new ProcessBuilder("stty", "size")
              .redirectInput(new File("/dev/tty"))
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      return parse(new String(stty.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** A window that was never given a size says that it has none. */
  static Optional<TerminalSize> parse(String text) {
    var found = ROWS_AND_COLUMNS.matcher(text);
    if (!found.matches()) {
      return Optional.empty();
    }
    var rows = Integer.parseInt(found.group(1));
    var cols = Integer.parseInt(found.group(2));
    return rows < TerminalSize.MIN || cols < TerminalSize.MIN
        ? Optional.empty()
        : Optional.of(
            new TerminalSize(Math.min(rows, TerminalSize.MAX), Math.min(cols, TerminalSize.MAX)));
  }
}
