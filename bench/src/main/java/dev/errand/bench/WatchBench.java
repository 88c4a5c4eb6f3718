package dev.errand.bench;

import dev.errand.daemon.pattern.Prefilter;
import dev.errand.wire.client.ErrandClient;
import dev.errand.wire.client.NewTask;
import dev.errand.wire.client.TaskCondition;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Patterns looked for in the output of a task, against {@code grep -E} on the same bytes. */
final class WatchBench implements Bench {
  private static final int ROUNDS = 5;
  private static final int WARM_UP_ROUNDS = 3;
  private static final long BYTES = 100_000_000;
  private static final List<String> WORDS =
      List.of("request", "handled", "in", "worker", "GET", "/index.html", "cache", "miss", "ok");

  /** Few of them occur, as it is with what one watches for. */
  private static final List<String> PATTERNS =
      List.of(
          "ERROR|FATAL",
          "listening on port [0-9]+",
          "panic: .*",
          "^Traceback",
          "[Ww]arning: [a-z]+ deprecated",
          "OutOfMemory(Error)?",
          "connection (refused|reset)",
          "Segmentation fault",
          "BUILD (SUCCESS|FAILURE)",
          "[0-9]+ tests? failed",
          "exit status [1-9]",
          "permission denied$",
          "No space left",
          "timed? ?out after [0-9]+ms",
          "assertion .* failed",
          "ready in [0-9]+ ms");

  @Override
  public String what() {
    return "100 MB of output with 1 and with 16 watchers, against grep -E on the same bytes";
  }

  @Override
  public void run(Report report) throws Exception {
    try (var rig = Rig.start("");
        var client = rig.client()) {
      var file = rig.folder().resolve("lines");
      write(file);
      for (var count : new int[] {1, 16}) {
        measure(report, client, file, count);
      }
    }
  }

  private static void measure(Report report, ErrandClient client, Path file, int count)
      throws IOException, InterruptedException {
    var bytes = Files.readAllBytes(file);
    var grep = new double[ROUNDS];
    var prefilter = new double[ROUNDS];
    var plain = new double[ROUNDS];
    var watched = new double[ROUNDS];
    for (var i = -WARM_UP_ROUNDS; i < ROUNDS; i++) {
      var at = Math.max(0, i);
      grep[at] = grep(file, count);
      prefilter[at] = prefilter(bytes, count);
      plain[at] = captured(client, file, 0);
      watched[at] = captured(client, file, count);
    }
    var with = " with " + count + (count == 1 ? " pattern" : " patterns");
    report.figure("reference, grep -E" + with, Report.median(grep), "MB/s");
    report.atLeast(
        "lines told apart in memory" + with,
        Report.median(prefilter),
        "MB/s",
        Report.median(grep),
        0);
    report.figure("reference, a task without watchers", Report.median(plain), "MB/s");
    report.atLeast(
        "a task, until its last frame," + with,
        Report.median(watched),
        "MB/s",
        Report.median(plain),
        0);
  }

  private static double grep(Path file, int count) throws IOException, InterruptedException {
    var command = new ArrayList<>(List.of("grep", "-E", "-c"));
    PATTERNS.subList(0, count).forEach(it -> command.addAll(List.of("-e", it)));
    command.add(file.toString());
    var begin = System.nanoTime();
    var _ = new ProcessBuilder(command).redirectErrorStream(true).start().waitFor();
    return megabytes(begin);
  }

  /** As the daemon does it, line by line; what it finds would be looked at again. */
  private static double prefilter(byte[] bytes, int count) {
    var prefilter = new Prefilter(PATTERNS.subList(0, count));
    var begin = System.nanoTime();
    var found = 0;
    var from = 0;
    for (var at = 0; at < bytes.length; at++) {
      if (bytes[at] == '\n') {
        found += prefilter.run(prefilter.start(), bytes, from, at).foundAtEnd() == 0 ? 0 : 1;
        from = at + 1;
      }
    }
    if (found == 0) {
      throw new IllegalStateException("there are lines to be found");
    }
    return megabytes(begin);
  }

  private static double captured(ErrandClient client, Path file, int count) {
    var task = NewTask.shell("cat '" + file + "'").cwd("/");
    for (var i = 0; i < count; i++) {
      task.watch("w" + i, TaskCondition.regex(PATTERNS.get(i)));
    }
    var begin = System.nanoTime();
    var taskId = client.spawn(task);
    client.waitEnd(taskId, Waits.LONG);
    var speed = megabytes(begin);
    client.remove(taskId);
    return speed;
  }

  private static double megabytes(long beginNanos) {
    return BYTES / 1e6 / ((System.nanoTime() - beginNanos) / 1e9);
  }

  private static void write(Path file) throws IOException {
    var random = new Random(1);
    try (BufferedWriter out = Files.newBufferedWriter(file)) {
      var left = BYTES;
      for (var number = 0; left > 0; number++) {
        var line = new StringBuilder("2026-01-01T12:00:00.").append(number % 1_000);
        for (var i = random.nextInt(12) + 3; i > 0; i--) {
          line.append(' ').append(WORDS.get(random.nextInt(WORDS.size())));
        }
        line.append(number % 200_000 == 77 ? " ERROR no such page\n" : "\n");
        out.append(line, 0, (int) Math.min(line.length(), left));
        left -= line.length();
      }
    }
  }
}
