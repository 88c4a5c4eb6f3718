package dev.errand.cli.attach;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import org.jline.terminal.Attributes;
import org.jline.terminal.Attributes.ControlChar;
import org.jline.terminal.Attributes.InputFlag;
import org.jline.terminal.Attributes.LocalFlag;
import org.jline.terminal.Attributes.OutputFlag;
import org.jline.terminal.Terminal;
import org.jline.terminal.spi.SystemStream;
import org.jline.terminal.spi.TerminalProvider;
import org.jline.utils.Signals;
import org.jspecify.annotations.Nullable;

/**
 * The terminal that this program runs on. In raw mode every key comes as it is typed and every byte
 * goes out as it is; closing it, or the end of the program, brings back what was set before.
 */
public final class RawTerminal implements AutoCloseable {
  private final Terminal terminal;
  private final Runnable beforeRestore;
  private final Thread atExit = new Thread(this::restore, "terminal");
  private @Nullable Attributes before;

  private RawTerminal(Terminal terminal, Runnable beforeRestore) {
    this.terminal = terminal;
    this.beforeRestore = beforeRestore;
  }

  /** How large the window is, in characters; 0 where the terminal does not know. */
  public record Size(int rows, int cols) {}

  /**
   * Opens it and changes nothing. The provider is asked directly: the library's builder would first
   * ask the terminal what it can do and wait for answers.
   *
   * @param beforeRestore what is written just before the old settings are restored
   */
  public static RawTerminal open(Runnable beforeRestore) throws IOException {
    var terminal =
        TerminalProvider.load("ffm")
            .sysTerminal(
                "errand",
                "ansi",
                true,
                UTF_8,
                UTF_8,
                UTF_8,
                false,
                Terminal.SignalHandler.SIG_DFL,
                true,
                SystemStream.Output);
    return new RawTerminal(terminal, beforeRestore);
  }

  public Size size() {
    var size = terminal.getSize();
    return new Size(size.getRows(), size.getColumns());
  }

  public synchronized void enterRawMode() {
    var old = terminal.getAttributes();
    Runtime.getRuntime().addShutdownHook(atExit);
    before = old;
    terminal.setAttributes(raw(old));
  }

  private static Attributes raw(Attributes old) {
    var raw = new Attributes(old);
    for (var flag :
        new LocalFlag[] {LocalFlag.ICANON, LocalFlag.ECHO, LocalFlag.IEXTEN, LocalFlag.ISIG}) {
      raw.setLocalFlag(flag, false);
    }
    for (var flag :
        new InputFlag[] {
          InputFlag.IXON,
          InputFlag.ICRNL,
          InputFlag.INLCR,
          InputFlag.IGNCR,
          InputFlag.ISTRIP,
          InputFlag.BRKINT
        }) {
      raw.setInputFlag(flag, false);
    }
    raw.setOutputFlag(OutputFlag.OPOST, false);
    raw.setControlChar(ControlChar.VMIN, 1);
    raw.setControlChar(ControlChar.VTIME, 0);
    return raw;
  }

  /**
   * Calls it, from any thread, whenever the window has another size. The terminal object would take
   * over all signals at once, and the JVM's own end of the program with them.
   */
  public void onResize(Runnable listener) {
    Signals.register(Terminal.Signal.WINCH.name(), listener);
  }

  private synchronized void restore() {
    var old = before;
    if (old != null) {
      before = null;
      beforeRestore.run();
      terminal.setAttributes(old);
    }
  }

  @Override
  public void close() throws IOException {
    restore();
    terminal.close();
  }
}
