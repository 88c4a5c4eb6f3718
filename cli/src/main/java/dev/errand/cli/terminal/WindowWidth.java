package dev.errand.cli.terminal;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The number of columns of a line. The JDK has no API for it, so {@code stty} is run in parallel
 * with the request to the daemon: its start takes about 50 ms.
 */
public final class WindowWidth {
  private static final int COLUMNS_DEFAULT = 80;
  private static final int COLUMNS_MIN = 40;
  private static final int COLUMNS_MAX = 1_000;
  private static final int WAIT_MS_MAX = 300;

  private final Future<Integer> answer;

  private WindowWidth(Future<Integer> answer) {
    this.answer = answer;
  }

  /** Starts the query; {@link #columns} waits for the result. */
  public static WindowWidth ask(Terminal terminal, Map<String, String> environment) {
    var given = parse(environment.getOrDefault("COLUMNS", ""));
    if (given > 0 || !terminal.outIsTerminal()) {
      return new WindowWidth(CompletableFuture.completedFuture(given));
    }
    var answer = new FutureTask<>(WindowWidth::askStty);
    Thread.ofPlatform().daemon().name("window-width").start(answer);
    return new WindowWidth(answer);
  }

  public int columns() throws InterruptedException {
    try {
      var columns = answer.get(WAIT_MS_MAX, TimeUnit.MILLISECONDS);
      return columns > 0 ? Math.clamp(columns, COLUMNS_MIN, COLUMNS_MAX) : COLUMNS_DEFAULT;
    } catch (ExecutionException | TimeoutException e) {
      return COLUMNS_DEFAULT;
    }
  }

  private static int askStty() throws IOException {
    var stty =
        new ProcessBuilder("stty", "size")
            .redirectInput(new File("/dev/tty"))
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    var rowsAndColumns = new String(stty.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return parse(rowsAndColumns.substring(rowsAndColumns.indexOf(' ') + 1));
  }

  private static int parse(String text) {
    try {
      return Integer.parseInt(text.strip());
    } catch (NumberFormatException e) {
      return 0;
    }
  }
}
