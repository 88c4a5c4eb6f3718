package dev.errand.cli.terminal;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * The three standard streams, without the buffering and swallowed errors of {@code System.out}.
 * Results go to the output, messages go to the error stream.
 */
public final class Console {
  private final InputStream in;
  private final OutputStream out;
  private final OutputStream err;
  private final Terminal terminal;

  public Console(InputStream in, OutputStream out, OutputStream err, Terminal terminal) {
    this.in = in;
    this.out = out;
    this.err = err;
    this.terminal = terminal;
  }

  /** The same output, with another keyboard. */
  public Console readingFrom(InputStream other) {
    return new Console(other, out, err, terminal);
  }

  public InputStream in() {
    return in;
  }

  public Terminal terminal() {
    return terminal;
  }

  /**
   * A line of the result. Foreign text must be escaped before; JSON is printed so that a terminal
   * shows all of it.
   */
  public void print(String line) {
    write((terminal.outIsTerminal() ? SafeText.visible(line) : line) + "\n");
  }

  public void write(String text) {
    write(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Exact bytes of the result. */
  public void write(byte[] bytes) {
    try {
      out.write(bytes);
      out.flush();
    } catch (IOException e) {
      throw new OutputClosedException(e);
    }
  }

  /** A message on the error stream. */
  public void say(String line) {
    var shown = terminal.errIsTerminal() ? SafeText.visible(line) : line;
    writeError((shown + "\n").getBytes(StandardCharsets.UTF_8));
  }

  /** Exact bytes for the error stream; a closed error stream is ignored. */
  public void writeError(byte[] bytes) {
    try {
      err.write(bytes);
      err.flush();
    } catch (IOException e) {
      // There is no other stream to report it on.
      return;
    }
  }

  /** Reads a line from the terminal without echo; null if there is no terminal. */
  @SuppressWarnings("SystemConsoleNull") // JDK 25 returns null without a terminal.
  public static Optional<char[]> askSecret(String prompt) {
    var console = System.console();
    return console == null ? Optional.empty() : Optional.ofNullable(console.readPassword(prompt));
  }
}
