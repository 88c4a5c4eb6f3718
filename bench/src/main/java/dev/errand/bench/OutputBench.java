package dev.errand.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.errand.core.task.LogStream;
import dev.errand.wire.client.ErrandClient;
import dev.errand.wire.client.NewTask;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Map;

/** The output of one task, captured, against the same command with its output in a file. */
final class OutputBench implements Bench {
  private static final int ROUNDS = 9;

  /** Until the compilers of daemon and host are done. */
  private static final int WARM_UP_ROUNDS = 4;

  /** More than any round writes. */
  private static final String TOUCHED = "700M";

  private static final double LEAST = 0.8;

  private static final Map<String, String> COMMANDS =
      Map.of(
          "zeros", "head -c 512M /dev/zero",
          "lines", "seq 1 40000000");

  @Override
  public String what() {
    return "captured output of one task against cmd > file, and what it does to memory";
  }

  @Override
  public void run(Report report) throws Exception {
    try (var rig = Rig.start("");
        var client = rig.client()) {
      for (var name : new String[] {"zeros", "lines"}) {
        measure(report, rig, client, name);
      }
    }
  }

  private static void measure(Report report, Rig rig, ErrandClient client, String name)
      throws IOException, InterruptedException {
    var command = COMMANDS.getOrDefault(name, "");
    for (var i = 0; i < WARM_UP_ROUNDS; i++) {
      captured(client, command);
    }
    var daemonBefore = Memory.residentKib(rig.daemonPid());
    var hostBefore = Memory.residentKib(rig.hostPid());
    var plain = new double[ROUNDS];
    var piped = new double[ROUNDS];
    var synced = new double[ROUNDS];
    var process = new double[ROUNDS];
    var task = new double[ROUNDS];
    for (var i = 0; i < ROUNDS; i++) {
      plain[i] = intoFile(rig, command, "");
      piped[i] = intoFile(rig, command + " | cat", "");
      synced[i] = intoFile(rig, command, "; sync ");
      settle(rig);
      var run = captured(client, command);
      process[i] = run.bytes() / run.processSeconds() / 1e6;
      task[i] = run.bytes() / run.taskSeconds() / 1e6;
    }
    report.figure(name + ": reference, cmd > file", Report.median(plain), "MB/s");
    report.atLeast(
        name + ": captured, until the process ended",
        Report.median(process),
        "MB/s",
        Report.median(plain),
        LEAST);
    report.figure(name + ": the same of cmd | cat > file", Report.median(piped), "MB/s");
    report.figure(name + ": reference, cmd > file; sync file", Report.median(synced), "MB/s");
    report.atLeast(
        name + ": captured, until the last frame (synced, digested)",
        Report.median(task),
        "MB/s",
        Report.median(synced),
        0);
    var daemonGrown = Memory.residentKib(rig.daemonPid()) - daemonBefore;
    var hostGrown = Memory.residentKib(rig.hostPid()) - hostBefore;
    report.figure(name + ": daemon grew meanwhile by", daemonGrown / 1024.0, "MiB");
    report.figure(name + ": host grew meanwhile by", hostGrown / 1024.0, "MiB");
  }

  private static double intoFile(Rig rig, String command, String then)
      throws IOException, InterruptedException {
    settle(rig);
    var file = rig.folder().resolve("out");
    var inner = command + " > " + file + (then.isEmpty() ? "" : then + file);
    var said = Programs.run("sh", "-c", timed(inner));
    var bytes = Files.size(file);
    Files.delete(file);
    return bytes / seconds(said) / 1e6;
  }

  /**
   * What the round before left to be written would slow this one down. And a virtual machine may
   * have handed memory that was free for some seconds back to the machine below, from which each
   * page is fetched again at its first touch, many times slower than it is written: so as much as a
   * round takes is touched first. Small writes get single pages and large ones get many together,
   * from other parts of the memory; the reference makes the former and the host the latter.
   */
  private static void settle(Rig rig) throws IOException, InterruptedException {
    Programs.run("sync");
    var small = rig.folder().resolve("small");
    var large = rig.folder().resolve("large");
    Programs.run("sh", "-c", "head -c " + TOUCHED + " /dev/zero > " + small);
    Programs.run("dd", "if=" + small, "of=" + large, "bs=256k", "status=none");
    Files.delete(small);
    Files.delete(large);
  }

  /** The command with the moments before and behind it on stderr, in nanoseconds. */
  private static String timed(String command) {
    return "date +%s%N >&2; " + command + "; date +%s%N >&2";
  }

  private static double seconds(String said) {
    var moments = said.strip().split("\n", -1);
    return (Long.parseLong(moments[1]) - Long.parseLong(moments[0])) / 1e9;
  }

  /** One run: how long the command took, and the time from the request to the last frame. */
  private record Run(long bytes, double processSeconds, double taskSeconds) {}

  private static Run captured(ErrandClient client, String command)
      throws IOException, InterruptedException {
    var begin = System.nanoTime();
    var taskId = client.spawn(NewTask.shell(timed(command)).cwd("/"));
    client.waitEnd(taskId, Waits.LONG);
    var taskSeconds = (System.nanoTime() - begin) / 1e9;
    var said = new String(client.output(taskId, LogStream.STDERR, 0, 100).bytes(), UTF_8);
    var bytes = client.output(taskId, LogStream.STDOUT, 0, 1).total();
    client.remove(taskId);
    return new Run(bytes, seconds(said), taskSeconds);
  }
}
