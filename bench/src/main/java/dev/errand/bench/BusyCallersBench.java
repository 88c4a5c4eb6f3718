package dev.errand.bench;

import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskId;
import dev.errand.wire.client.ClientOptions;
import dev.errand.wire.client.ErrandClient;
import dev.errand.wire.client.NewTask;
import dev.errand.wire.client.OutputSearch;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/** What the owner feels of a caller with few rights that burns processors. */
final class BusyCallersBench implements Bench {
  private static final int SEARCHES = 60;
  private static final int WARM_UP = 300;
  private static final int REQUESTS = 1_000;
  private static final int CANCELS = 100;
  private static final int LOG_MIB = 64;
  private static final double TIMES_MAX = 10;
  private static final String SESSION = "guest";
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  @Override
  public String what() {
    return "healthz, status and cancel of the owner beside " + SEARCHES + " searches of a guest";
  }

  private interface Request {
    void send() throws Exception;
  }

  /** The times of the owner's three requests. */
  private record Times(Percentiles healthz, Percentiles status, Percentiles cancel) {
    static Times of(ErrandClient client) throws Exception {
      var idle = client.spawn(sleeper());
      var sleepers = new ArrayList<TaskId>();
      for (var i = 0; i < CANCELS; i++) {
        sleepers.add(client.spawn(sleeper()));
      }
      var healthz = measured(REQUESTS, client::reach);
      var status = measured(REQUESTS, () -> client.status(idle));
      var cancel = measured(CANCELS, () -> client.cancel(sleepers.removeLast(), null, null));
      client.cancel(idle, null, null);
      return new Times(healthz, status, cancel);
    }
  }

  private static NewTask sleeper() {
    return NewTask.program(List.of("/bin/sleep", "100000")).cwd("/");
  }

  private static Percentiles measured(int count, Request request) throws Exception {
    var times = new Percentiles();
    for (var i = 0; i < count; i++) {
      var begin = System.nanoTime();
      request.send();
      times.add(System.nanoTime() - begin);
    }
    return times;
  }

  @Override
  public void run(Report report) throws Exception {
    try (var rig = Rig.start("[http]\nlisten = \"127.0.0.1:0\"\n");
        var client = rig.client()) {
      report.note("method: one owner at the Unix socket, one request after the other");
      report.note(
          "beside: "
              + SEARCHES
              + " callers over TCP that search "
              + LOG_MIB
              + " MiB again and again");
      var token =
          rig.errand("token", "new", "guest", "--session", SESSION)
              .lines()
              .filter(it -> it.startsWith("errand_"))
              .findFirst()
              .orElseThrow();
      var taskId = written(client);
      for (var i = 0; i < WARM_UP; i++) {
        client.status(taskId);
      }
      Times.of(client);
      var alone = Times.of(client);
      var stop = new AtomicBoolean();
      var searched = new AtomicLong();
      var guests = new ArrayList<Thread>();
      var address = Objects.requireNonNull(ErrandClient.daemonOf(rig.home()).orElseThrow().http());
      for (var i = 0; i < SEARCHES; i++) {
        guests.add(Thread.ofVirtual().start(() -> search(address, token, taskId, stop, searched)));
      }
      while (searched.get() < SEARCHES && guests.stream().allMatch(Thread::isAlive)) {
        Thread.sleep(20);
      }
      var beside = Times.of(client);
      if (!guests.stream().allMatch(Thread::isAlive)) {
        throw new IllegalStateException("a search failed, so nothing was measured");
      }
      stop.set(true);
      for (var guest : guests) {
        guest.join();
      }
      report.figure("reference: healthz alone, p99", alone.healthz().p99(), "ms");
      report.figure("reference: status alone, p99", alone.status().p99(), "ms");
      report.figure("reference: cancel alone, p99", alone.cancel().p99(), "ms");
      told(report, "healthz", beside.healthz(), alone.healthz());
      told(report, "status", beside.status(), alone.status());
      told(report, "cancel", beside.cancel(), alone.cancel());
      report.figure("searches that were answered meanwhile", (double) searched.get(), "");
    }
  }

  private static void told(Report report, String what, Percentiles beside, Percentiles alone) {
    report.atMostTimes(
        what + " beside " + SEARCHES + " searches, p99",
        beside.p99(),
        "ms",
        alone.p99(),
        TIMES_MAX);
  }

  private static TaskId written(ErrandClient client) {
    var command = "yes 'ab abba abab bbaa c12 abc123y' | head -c %d".formatted(LOG_MIB << 20);
    var taskId = client.spawn(NewTask.shell(command).session(SESSION));
    client.waitEnd(taskId, PATIENCE);
    return taskId;
  }

  private static void search(
      String address, String token, TaskId taskId, AtomicBoolean stop, AtomicLong searched) {
    try (var guest =
        ErrandClient.connect(URI.create("http://" + address), token, ClientOptions.DEFAULT)) {
      while (!stop.get()) {
        guest.search(taskId, LogStream.STDOUT, OutputSearch.of("(a|b|ab)*c[0-9]{3}x$"));
        searched.incrementAndGet();
      }
    }
  }
}
