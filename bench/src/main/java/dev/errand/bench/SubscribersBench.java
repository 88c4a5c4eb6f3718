package dev.errand.bench;

import dev.errand.core.task.TaskId;
import dev.errand.wire.client.ErrandClient;
import dev.errand.wire.client.NewTask;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Ten thousand subscribers of one busy task, a thousand of whom never read. */
final class SubscribersBench implements Bench {
  private static final int ALL = 10_000;
  private static final int SLOW = 1_000;

  /** 100 lines in 10 seconds, each a frame for each subscriber. */
  private static final String BUSY =
      "sleep 1; i=0; while [ $i -lt 100 ]; do echo line $i; i=$((i+1)); sleep 0.1; done";

  private static final String CONFIG = "[http]\nmax_subscribers = 15000\n";
  private static final double TIMES_MAX = 1.1;
  private static final double LEFT_TIMES_MAX = 1.5;
  private static final double DAEMON_MIB_MAX = 1_536;

  @Override
  public String what() {
    return "10,000 subscribers of one busy task, 1,000 of them slow";
  }

  @Override
  public void run(Report report) throws Exception {
    try (var rig = Rig.start(CONFIG);
        var client = rig.client()) {
      var alone = ended(client, client.spawn(NewTask.shell(BUSY)));
      report.figure("reference: the task without subscribers", alone, "s");
      Memory.collect(rig.daemonPid());
      var before = Memory.pssKib(rig.daemonPid());
      var heapBefore = Memory.heapKib(rig.daemonPid());
      var holder = client.spawn(NewTask.shell("read _; " + BUSY).withStdin());
      var target = List.of("/tasks/" + holder + "/events");
      try (var crowd = new Crowd(rig.home().socket(), target, ALL, SLOW)) {
        Waits.followers(client, ALL);
        Memory.collect(rig.daemonPid());
        var waiting = Memory.pssKib(rig.daemonPid());
        report.figure("memory per waiting subscriber", (waiting - before) / (double) ALL, "KiB");
        var begin = System.nanoTime();
        client.stdin(holder, new byte[] {'\n'}, true);
        var taken = ended(client, holder, begin);
        report.atMostTimes("the task with 10,000 subscribers", taken, "s", alone, TIMES_MAX);
        awaitAllEnded(crowd);
        var behind = (System.nanoTime() - begin) / 1e9 - taken;
        report.figure("last quick subscriber behind the end by", behind, "s");
        report.figure("pushed to the quick ones", crowd.bytes() / 1e6, "MB");
        var peak = Memory.peakKib(rig.daemonPid()) / 1024.0;
        report.below("most memory of the daemon", peak, "MiB", DAEMON_MIB_MAX);
      }
      Waits.noFollowers(client);
      Memory.collect(rig.daemonPid());
      report.atMostTimes(
          "live heap of the daemon after they left",
          (double) Memory.heapKib(rig.daemonPid()),
          "KiB",
          (double) heapBefore,
          LEFT_TIMES_MAX);
    }
  }

  private static double ended(ErrandClient client, TaskId taskId) {
    return ended(client, taskId, System.nanoTime());
  }

  private static double ended(ErrandClient client, TaskId taskId, long begin) {
    client.waitEnd(taskId, Duration.ofMinutes(2));
    return (System.nanoTime() - begin) / 1e9;
  }

  private static void awaitAllEnded(Crowd crowd) throws InterruptedException {
    for (var i = 0; i < 600 && crowd.ended() < ALL - SLOW; i++) {
      TimeUnit.MILLISECONDS.sleep(100);
    }
    if (crowd.ended() < ALL - SLOW) {
      throw new IllegalStateException("only " + crowd.ended() + " have seen the end");
    }
  }
}
