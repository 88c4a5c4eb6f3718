package dev.errand.cli.render;

import dev.errand.cli.terminal.Console;
import java.nio.charset.StandardCharsets;

/**
 * One line of progress on the error stream. It appears only on a terminal, and only after half a
 * second.
 */
public final class Progress implements AutoCloseable {
  private static final long QUIET_NANOS = 500_000_000;
  private static final long STEP_NANOS = 200_000_000;
  private static final String CLEAR_LINE = "\r\u001b[K";

  private final Console console;
  private final String what;
  private long nextAt = System.nanoTime() + QUIET_NANOS;
  private boolean shown;

  public Progress(Console console, String what) {
    this.console = console;
    this.what = what;
  }

  /** Sets the bytes done and the total; 0 for an unknown total. */
  public void bytes(long done, long total) {
    note(
        total <= 0
            ? Sizes.text(done)
            : "%s of %s (%d%%)".formatted(Sizes.text(done), Sizes.text(total), done * 100 / total));
  }

  public void note(String how) {
    var now = System.nanoTime();
    if (!console.terminal().errIsTerminal() || now - nextAt < 0) {
      return;
    }
    nextAt = now + STEP_NANOS;
    shown = true;
    write(CLEAR_LINE + what + " " + how);
  }

  @Override
  public void close() {
    if (shown) {
      write(CLEAR_LINE);
      shown = false;
    }
  }

  private void write(String text) {
    console.writeError(text.getBytes(StandardCharsets.UTF_8));
  }
}
