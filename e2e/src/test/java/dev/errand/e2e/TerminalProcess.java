package dev.errand.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * A shell line on a terminal of its own (by {@code script}), typed on and read by a test. Beside
 * the line's own, it leaves the terminal's name and its settings before and after in files.
 */
final class TerminalProcess implements AutoCloseable {
  private final Process process;
  private final OutputStream keyboard;
  private final Path folder;

  private TerminalProcess(Process process, Path folder) {
    this.process = process;
    this.keyboard = process.getOutputStream();
    this.folder = folder;
  }

  /** Runs the program with these arguments on a terminal of 30 rows and 100 columns. */
  static TerminalProcess errand(Sandbox sandbox, String... arguments) throws IOException {
    var folder = Files.createTempDirectory(sandbox.folder(), "terminal");
    var builder = sandbox.builder(arguments);
    var line =
        "stty rows 30 cols 100; tty >%1$s/tty; stty -g >%1$s/before; %2$s; echo $? >%1$s/code; stty -g >%1$s/after"
            .formatted(folder, String.join(" ", builder.command()));
    builder.environment().put("TERM", "xterm");
    // A background job of a script ignores SIGINT, and that is inherited.
    builder.command(List.of("env", "--default-signal=INT", "script", "-qec", line, "/dev/null"));
    builder.redirectOutput(folder.resolve("screen").toFile());
    builder.redirectError(folder.resolve("err").toFile());
    return new TerminalProcess(builder.start(), folder);
  }

  void type(String keys) throws IOException {
    keyboard.write(keys.getBytes(UTF_8));
    keyboard.flush();
  }

  String screen() throws IOException {
    return Files.readString(folder.resolve("screen"));
  }

  void awaitScreen(String text) {
    await()
        .atMost(Sandbox.PATIENCE)
        .pollInterval(Duration.ofMillis(50))
        .untilAsserted(() -> assertThat(screen()).contains(text));
  }

  /** Gives the terminal another size, as a window that is dragged. */
  void resize(int rows, int cols) throws IOException, InterruptedException {
    var command = List.of("stty", "-F", file("tty"), "rows", rows + "", "cols", cols + "");
    assertThat(new ProcessBuilder(command).start().waitFor()).isZero();
  }

  /** The exit code of the program; its terminal must be as it was. */
  int end() throws IOException, InterruptedException {
    assertThat(process.waitFor(Sandbox.PATIENCE)).as("it ends; it shows %s", screen()).isTrue();
    assertThat(file("after")).as("the terminal's settings").isEqualTo(file("before"));
    return Integer.parseInt(file("code"));
  }

  /** The pid of the first process of that command line on this terminal. */
  long pidOf(String words) throws IOException {
    return process
        .descendants()
        .filter(it -> it.info().commandLine().orElse("").contains(words))
        .filter(it -> it.info().command().orElse("").endsWith("java"))
        .findFirst()
        .orElseThrow()
        .pid();
  }

  private String file(String name) throws IOException {
    return Files.readString(folder.resolve(name)).strip();
  }

  @Override
  public void close() throws IOException {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
    keyboard.close();
  }
}
