package dev.errand.bench;

import dev.errand.core.task.TaskId;
import dev.errand.wire.client.ErrandClient;
import dev.errand.wire.client.NewTask;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Ten thousand subscribers who have nothing to hear, spread over a thousand quiet tasks. */
final class OnlookersBench implements Bench {
  private static final int TASKS = 1_000;
  private static final int ALL = 10_000;
  private static final int QUIET_SECONDS = 10;
  private static final String CONFIG = "[http]\nmax_subscribers = 15000\n";
  private static final double KIB_MAX = 20;

  @Override
  public String what() {
    return "10,000 idle subscribers over 1,000 quiet tasks: memory, and work while nothing happens";
  }

  @Override
  public void run(Report report) throws Exception {
    try (var rig = Rig.start(CONFIG);
        var client = rig.client()) {
      var targets = targets(client);
      Memory.collect(rig.daemonPid());
      var before = Memory.pssKib(rig.daemonPid());
      report.figure("reference: work of the daemon without subscribers", work(rig), "ms/s");
      try (var _ = new Crowd(rig.home().socket(), targets, ALL, 0)) {
        Waits.followers(client, ALL);
        Memory.collect(rig.daemonPid());
        var each = (Memory.pssKib(rig.daemonPid()) - before) / (double) ALL;
        report.below("memory per idle subscriber", each, "KiB", KIB_MAX);
        report.figure("work of the daemon beside 10,000 subscribers", work(rig), "ms/s");
      }
    }
  }

  private static List<String> targets(ErrandClient client) {
    var tasks = new ArrayList<TaskId>();
    for (var i = 0; i < TASKS; i++) {
      tasks.add(client.spawn(NewTask.program(List.of("/bin/sleep", "100000")).cwd("/")));
    }
    return tasks.stream().map(it -> "/tasks/" + it + "/events").toList();
  }

  /** Processor time in milliseconds for each second that passes. */
  private static double work(Rig rig) throws Exception {
    var before = Memory.cpuMs(rig.daemonPid());
    TimeUnit.SECONDS.sleep(QUIET_SECONDS);
    return (Memory.cpuMs(rig.daemonPid()) - before) / QUIET_SECONDS;
  }
}
