package dev.errand.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.errand.wire.client.AttachEvent;
import dev.errand.wire.client.AttachOptions;
import dev.errand.wire.client.Attachment;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/** How long a key takes to the terminal of a task and back: typed, applied, echoed, recorded. */
final class AttachBench implements Bench {
  /** Until the compilers of daemon and host are done. */
  private static final int WARM_UP = 3_000;

  private static final int KEYS = 300;

  /** A quick typist; also more than the time for which a host gathers output into one record. */
  private static final long PAUSE_MS = 30;

  private static final double P50_MS = 5;

  /** The program echoes, not the terminal. */
  private static final String CAT =
      """
      {"tool": "bash", "args": {"command": "stty raw -echo; echo ready; cat"}, \
      "execution_mode": "pty"}\
      """;

  @Override
  public String what() {
    return "a key typed at an attached terminal and echoed by cat";
  }

  @Override
  public void run(Report report) throws Exception {
    var echo = SocketEcho.measure(WARM_UP, KEYS);
    report.figure("reference: bare WebSocket echo on loopback, p50", echo.p50(), "ms");
    report.figure("reference: bare WebSocket echo on loopback, p99", echo.p99(), "ms");
    try (var rig = Rig.start("");
        var client = rig.client()) {
      var taskId = client.spawn(CAT.getBytes(UTF_8), UUID.randomUUID().toString());
      try (var attachment = client.attach(taskId, AttachOptions.TERMINAL.from(0))) {
        awaitReady(attachment);
        roundTrips(attachment, WARM_UP, 0);
        var calm = roundTrips(attachment, KEYS, PAUSE_MS);
        report.below("key to echo, p50", calm.p50(), "ms", P50_MS);
        report.figure("key to echo, p99", calm.p99(), "ms");
        var dense = roundTrips(attachment, KEYS, 0);
        report.figure("the same without a pause between keys, p50", dense.p50(), "ms");
        report.figure("the same without a pause between keys, p99", dense.p99(), "ms");
      }
    }
  }

  private static void awaitReady(Attachment attachment) {
    var seen = new StringBuilder();
    while (seen.indexOf("ready") < 0) {
      seen.append(new String(output(attachment), UTF_8));
    }
  }

  private static byte[] output(Attachment attachment) {
    for (var event = attachment.next(); event != null; event = attachment.next()) {
      if (event instanceof AttachEvent.Output(_, var bytes)) {
        return bytes;
      }
    }
    throw new IllegalStateException("the task has ended");
  }

  private static Percentiles roundTrips(Attachment attachment, int count, long pauseMs)
      throws InterruptedException {
    var times = new Percentiles();
    for (var i = 0; i < count; i++) {
      TimeUnit.MILLISECONDS.sleep(pauseMs);
      var begin = System.nanoTime();
      attachment.type(new byte[] {'x'});
      var _ = output(attachment);
      times.add(System.nanoTime() - begin);
    }
    return times;
  }
}
