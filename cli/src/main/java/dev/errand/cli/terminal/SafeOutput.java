package dev.errand.cli.terminal;

import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Output for foreign bytes: files and pipes get them exactly, a terminal gets them as {@link
 * SafeText}. Must be closed, to write an incomplete last character.
 */
public final class SafeOutput extends OutputStream {
  private final Console console;
  private final @Nullable SafeText safe;

  public SafeOutput(Console console) {
    this.console = console;
    this.safe = console.terminal().outIsTerminal() ? new SafeText() : null;
  }

  @Override
  public void write(int b) {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int from, int count) {
    var piece = Arrays.copyOfRange(bytes, from, from + count);
    console.write(safe == null ? piece : safe.next(piece).getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public void close() {
    if (safe != null) {
      console.write(safe.end());
    }
  }
}
