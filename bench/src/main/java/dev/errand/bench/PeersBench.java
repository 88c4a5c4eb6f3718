package dev.errand.bench;

import dev.errand.wire.client.NewTask;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * Programs that also run commands in the background, side by side: how long one submission takes at
 * the shell, and how many no-op tasks each second are submitted and run.
 *
 * <p>They promise different things. A task of task-spooler and of tmux is forgotten with its
 * server; nq keeps a file each; none of them syncs anything.
 */
final class PeersBench implements Bench {
  private static final int TASKS = 300;
  private static final int ERRAND_TASKS = 60;
  private static final int WARM_UP = 3_000;

  @Override
  public String what() {
    return "task-spooler, nq and tmux beside errand: submission at the shell, and no-op tasks run";
  }

  /** One of them: how a no-op task is submitted, and how the end of all is waited for. */
  private record Peer(
      String name, List<String> submit, List<String> await, Map<String, String> environment) {}

  @Override
  public void run(Report report) throws Exception {
    try (var rig = Rig.start("");
        var commands = new CommandLine()) {
      var folder = rig.folder().toString();
      measure(report, commands, spooler(folder));
      measure(report, commands, queue(folder));
      tmux(report, commands, folder);
      errand(report, rig, commands);
    }
  }

  private static Peer spooler(String folder) {
    return new Peer(
        "task-spooler",
        List.of("tsp", "-n", BareSpawn.NO_OP),
        List.of("tsp", "-w"),
        Map.of("TS_SOCKET", folder + "/tsp", "TS_MAXFINISHED", "10"));
  }

  private static Peer queue(String folder) {
    return new Peer(
        "nq", List.of("nq", "-q", BareSpawn.NO_OP), List.of("nq", "-w"), Map.of("NQDIR", folder));
  }

  private static void measure(Report report, CommandLine commands, Peer peer) throws IOException {
    if (!Programs.isThere(peer.submit().getFirst())) {
      report.note(peer.name() + ": not installed, so not measured");
      return;
    }
    var times = new Percentiles();
    var begin = System.nanoTime();
    for (var i = 0; i < TASKS; i++) {
      times.add(commands.time(peer.environment(), peer.submit()));
    }
    commands.time(peer.environment(), peer.await());
    var seconds = (System.nanoTime() - begin) / 1e9;
    report.figure(peer.name() + ": submission, p50", times.p50(), "ms");
    report.figure(peer.name() + ": submitted one by one and run", TASKS / seconds, "/s");
    if (peer.name().equals("task-spooler")) {
      commands.time(peer.environment(), List.of("tsp", "-K"));
    }
  }

  /** It has no way to wait for a window that is gone, so its session is asked until it is empty. */
  private static void tmux(Report report, CommandLine commands, String folder)
      throws IOException, InterruptedException {
    if (!Programs.isThere("tmux")) {
      report.note("tmux: not installed, so not measured");
      return;
    }
    var socket = folder + "/tmux";
    commands.time(Map.of(), List.of("tmux", "-S", socket, "new-session", "-d", "sleep 1000"));
    var times = new Percentiles();
    var begin = System.nanoTime();
    for (var i = 0; i < TASKS; i++) {
      times.add(
          commands.time(
              Map.of(), List.of("tmux", "-S", socket, "new-window", "-d", BareSpawn.NO_OP)));
    }
    while (Programs.run("tmux", "-S", socket, "list-windows").strip().lines().count() > 1) {
      Thread.sleep(2);
    }
    var seconds = (System.nanoTime() - begin) / 1e9;
    report.figure("tmux: submission, p50", times.p50(), "ms");
    report.figure("tmux: submitted one by one and run", TASKS / seconds, "/s");
    commands.time(Map.of(), List.of("tmux", "-S", socket, "kill-server"));
  }

  private static void errand(Report report, Rig rig, CommandLine commands)
      throws IOException, InterruptedException {
    var program = Rig.ROOT.resolve("errand").toString();
    var shell = new Percentiles();
    for (var i = 0; i < ERRAND_TASKS; i++) {
      shell.add(commands.time(rig.environment(), List.of(program, "spawn", "--", BareSpawn.NO_OP)));
    }
    report.figure("errand: submission by errand spawn, p50", shell.p50(), "ms");
    try (var client = rig.client()) {
      var noOp = NewTask.program(List.of(BareSpawn.NO_OP)).cwd("/");
      for (var i = 0; i < WARM_UP; i++) {
        client.spawn(noOp);
      }
      rig.awaitQuiet(client);
      var times = new Percentiles();
      var begin = System.nanoTime();
      for (var i = 0; i < TASKS; i++) {
        var before = System.nanoTime();
        client.spawn(noOp);
        times.add(System.nanoTime() - before);
      }
      rig.awaitQuiet(client);
      var seconds = (System.nanoTime() - begin) / 1e9;
      report.figure("errand: submission by the SDK, p50", times.p50(), "ms");
      report.figure("errand: submitted one by one by the SDK and run", TASKS / seconds, "/s");
    }
  }
}
