package dev.errand.e2e;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.core.ConditionTimeoutException;

/** Makes system calls of a running process fail, by strace; skips the test where that cannot be. */
final class FaultyKernel implements AutoCloseable {
  private final Process strace;
  private final Path calls;

  private FaultyKernel(Process strace, Path calls) {
    this.strace = strace;
    this.calls = calls;
  }

  /**
   * From the return of this on the calls of this process fail so, on all threads that it has or
   * gets.
   *
   * @param fault in strace's words, such as {@code error=EIO:when=1}, where each thread counts
   */
  static FaultyKernel forProcess(long pid, String calls, String fault) throws IOException {
    return start(List.of("-f", "-p", Long.toString(pid)), threads(pid, ""), calls, fault);
  }

  /** The same for some threads alone, and nothing that they start. */
  static FaultyKernel forThreads(List<Long> threads, String calls, String fault)
      throws IOException {
    var whom = new ArrayList<String>();
    for (var thread : threads) {
      whom.addAll(List.of("-p", Long.toString(thread)));
    }
    return start(whom, threads, calls, fault);
  }

  private static FaultyKernel start(
      List<String> whom, List<Long> threads, String calls, String fault) throws IOException {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/strace")), "strace is missing");
    var log = Files.createTempFile("errand-strace", "");
    var command = new ArrayList<>(List.of("strace", "-qq", "-o", log.toString()));
    command.addAll(whom);
    command.addAll(List.of("-e", "trace=" + calls, "-e", "inject=" + calls + ":" + fault));
    var strace =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      await()
          .atMost(Duration.ofSeconds(20))
          .until(() -> !strace.isAlive() || threads.stream().allMatch(FaultyKernel::isTraced));
    } catch (ConditionTimeoutException _) {
      strace.destroy();
    }
    if (!strace.isAlive()) {
      Files.delete(log);
    }
    assumeTrue(strace.isAlive(), "the right to trace another process is missing");
    return new FaultyKernel(strace, log);
  }

  /** The threads of a process whose names begin so. */
  static List<Long> threads(long pid, String name) throws IOException {
    try (var threads = Files.list(Path.of("/proc/" + pid + "/task"))) {
      var ids = new ArrayList<Long>();
      for (var thread : threads.toList()) {
        if (Files.readString(thread.resolve("comm")).startsWith(name)) {
          ids.add(Long.parseLong(thread.getFileName().toString()));
        }
      }
      return ids;
    }
  }

  private static boolean isTraced(long thread) {
    try {
      var status = Files.readString(Path.of("/proc/" + thread + "/status"));
      return !status.contains("TracerPid:\t0\n");
    } catch (IOException _) {
      // It has ended, so that there is nothing to wait for.
      return true;
    }
  }

  /** How many calls have failed by now. */
  long failures() throws IOException {
    try (var lines = Files.lines(calls)) {
      return lines.filter(it -> it.contains("(INJECTED)")).count();
    }
  }

  /** The calls work again, once the process has gone on without its tracer. */
  @Override
  public void close() throws IOException {
    strace.destroy();
    strace.onExit().join();
    Files.delete(calls);
  }
}
