package dev.errand.bench;

import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskId;
import dev.errand.wire.client.ErrandClient;
import dev.errand.wire.client.NewTask;
import dev.errand.wire.client.TaskFilter;
import dev.errand.wire.json.FrameType;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** What a terminal costs: a frame of output, a flood of it, and a terminal that is idle. */
final class PtyBench implements Bench {
  private static final int ROUNDS = 5;
  private static final int WARM_UP_ROUNDS = 2;
  private static final double LEAST = 0.7;
  private static final int IDLE = 200;
  private static final int WRITERS = 8;

  /** So far apart that each line has a frame of its own. */
  private static final String LINES = "for i in $(seq 100); do echo line $i; sleep 0.03; done";

  private static final String FLOOD = "seq 1 8000000";

  @Override
  public String what() {
    return "a terminal: against pipes for each frame, against script for a flood, and idle";
  }

  @Override
  public void run(Report report) throws Exception {
    try (var rig = Rig.start("");
        var client = rig.client()) {
      frames(report, rig, client);
      flood(report, rig, client);
      idle(report, rig, client);
    }
  }

  private static NewTask atTerminal(NewTask task) {
    return task.pty(24, 80);
  }

  private static void frames(Report report, Rig rig, ErrandClient client)
      throws IOException, InterruptedException {
    perFrame(rig, client, it -> it);
    perFrame(rig, client, PtyBench::atTerminal);
    var pipes = new double[ROUNDS];
    var terminal = new double[ROUNDS];
    for (var i = 0; i < ROUNDS; i++) {
      pipes[i] = perFrame(rig, client, it -> it);
      terminal[i] = perFrame(rig, client, PtyBench::atTerminal);
    }
    report.figure(
        "reference: daemon and host for an output frame of pipes", Report.median(pipes), "ms");
    report.figure("the same of a terminal", Report.median(terminal), "ms");
  }

  /** Processor time of daemon and host for each output frame. */
  private static double perFrame(Rig rig, ErrandClient client, UnaryOperator<NewTask> how)
      throws IOException, InterruptedException {
    var before = cpuMs(rig);
    var tasks = new ArrayList<TaskId>();
    for (var i = 0; i < WRITERS; i++) {
      tasks.add(client.spawn(how.apply(NewTask.shell(LINES).cwd("/"))));
    }
    rig.awaitQuiet(client);
    var spent = cpuMs(rig) - before;
    var frames = 0L;
    for (var taskId : tasks) {
      try (var history = client.history(taskId, -1)) {
        for (var frame = history.next(); frame != null; frame = history.next()) {
          frames += frame.type().equals(FrameType.OUTPUT_DELTA) ? 1 : 0;
        }
      }
      client.remove(taskId);
    }
    return spent / frames;
  }

  private static double cpuMs(Rig rig) throws IOException {
    return Memory.cpuMs(rig.daemonPid()) + Memory.cpuMs(rig.hostPid());
  }

  private static void flood(Report report, Rig rig, ErrandClient client)
      throws IOException, InterruptedException {
    if (!Programs.isThere("script")) {
      report.note("script of util-linux is missing, so a flood is not compared");
      return;
    }
    for (var i = 0; i < WARM_UP_ROUNDS; i++) {
      captured(rig, client);
    }
    var script = new double[ROUNDS];
    var process = new double[ROUNDS];
    var task = new double[ROUNDS];
    for (var i = 0; i < ROUNDS; i++) {
      script[i] = recorded(rig);
      var run = captured(rig, client);
      process[i] = run.bytes() / run.processSeconds() / 1e6;
      task[i] = run.bytes() / run.taskSeconds() / 1e6;
    }
    report.figure("reference: script -q -c CMD file", Report.median(script), "MB/s");
    report.atLeast(
        "captured, until the process ended",
        Report.median(process),
        "MB/s",
        Report.median(script),
        LEAST);
    report.figure("captured, until the last frame (synced)", Report.median(task), "MB/s");
  }

  /** One run: how long the command took, and the time from the request to the last frame. */
  private record Run(long bytes, double processSeconds, double taskSeconds) {}

  private static double recorded(Rig rig) throws IOException, InterruptedException {
    Programs.run("sync");
    var file = rig.folder().resolve("typescript");
    var begin = System.nanoTime();
    Programs.run("sh", "-c", "script -q -c '" + FLOOD + "' " + file + " > /dev/null");
    var seconds = (System.nanoTime() - begin) / 1e9;
    var bytes = Files.size(file);
    Files.delete(file);
    return bytes / seconds / 1e6;
  }

  private static Run captured(Rig rig, ErrandClient client)
      throws IOException, InterruptedException {
    Programs.run("sync");
    var file = rig.folder().resolve("moments");
    var timed = "date +%%s%%N > %s; %s; date +%%s%%N >> %s".formatted(file, FLOOD, file);
    var begin = System.nanoTime();
    var taskId = client.spawn(atTerminal(NewTask.shell(timed).cwd("/")));
    var status = client.waitEnd(taskId, Waits.LONG);
    var seconds = (System.nanoTime() - begin) / 1e9;
    client.remove(taskId);
    var moments = Files.readAllLines(file);
    var process = (Long.parseLong(moments.getLast()) - Long.parseLong(moments.getFirst())) / 1e9;
    return new Run(status.bytesTotal(LogStream.PTY), process, seconds);
  }

  private static void idle(Report report, Rig rig, ErrandClient client)
      throws IOException, InterruptedException {
    var hostBefore = held(rig.hostPid());
    var daemonBefore = held(rig.daemonPid());
    var shell = atTerminal(NewTask.program(List.of("/bin/sleep", "100000")).cwd("/"));
    for (var i = 0; i < IDLE; i++) {
      client.spawn(shell);
    }
    while (running(client) < IDLE) {
      Thread.sleep(50);
    }
    var host = (held(rig.hostPid()) - hostBefore) / (double) IDLE;
    var daemon = (held(rig.daemonPid()) - daemonBefore) / (double) IDLE;
    report.figure("each of %d idle terminals, in the host".formatted(IDLE), host, "KiB");
    report.figure("each of %d idle terminals, in the daemon".formatted(IDLE), daemon, "KiB");
  }

  private static long held(long pid) throws IOException, InterruptedException {
    Memory.collect(pid);
    return Memory.pssKib(pid);
  }

  private static long running(ErrandClient client) {
    var page = client.list(TaskFilter.ALL.active(true).limit(1_000));
    return page.tasks().stream().filter(it -> it.pid() != null).count();
  }
}
