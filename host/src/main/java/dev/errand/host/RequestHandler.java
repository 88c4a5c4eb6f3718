package dev.errand.host;

import dev.errand.core.time.Signal;
import dev.errand.core.time.Time;
import dev.errand.host.linux.ProcFs;
import dev.errand.host.process.DescriptorBudget;
import dev.errand.host.process.ProcessHost;
import dev.errand.host.protocol.Answer;
import dev.errand.host.protocol.HostClient;
import dev.errand.host.protocol.HostListener;
import dev.errand.host.protocol.HostReply;
import dev.errand.host.protocol.HostRequest;
import dev.errand.host.protocol.RefusalCode;
import dev.errand.host.record.RecordWriter;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;

/** Passes each request to the part that handles it. */
final class RequestHandler implements HostListener.Handler {
  private static final Duration SHUTDOWN_POLL = Duration.ofMillis(20);

  /** The longest grace at a shutdown, even if a task was given an hour. */
  private static final Duration SHUTDOWN_GRACE_MAX = Duration.ofSeconds(10);

  /**
   * This grace and the sweep of all tasks fit into this time; what is still alive then cannot be
   * killed.
   */
  private static final Duration SHUTDOWN_MAX = Duration.ofSeconds(25);

  /** The maximum number of processes that are named; the others are only counted. */
  private static final int ESCAPED_SHOWN_MAX = 100;

  private final Host.Settings settings;
  private final ProcessHost processes;
  private final RecordWriter records;
  private final DescriptorBudget budget;
  private final String bootId;
  private final List<String> features;
  private final Time clock;
  private final AtomicBoolean shuttingDown = new AtomicBoolean();
  private final CompletableFuture<Boolean> tasksEnded = new CompletableFuture<>();

  /** Set when the host may end. */
  private final Signal over = new Signal();

  private volatile boolean shutDown;

  RequestHandler(
      Host.Settings settings,
      ProcessHost processes,
      RecordWriter records,
      DescriptorBudget budget,
      String bootId,
      List<String> features,
      Time clock) {
    this.settings = settings;
    this.processes = processes;
    this.records = records;
    this.budget = budget;
    this.bootId = bootId;
    this.features = List.copyOf(features);
    this.clock = clock;
  }

  @Override
  public CompletionStage<? extends Answer<? extends HostReply>> handle(HostRequest request) {
    return switch (request) {
      case HostRequest.Hello it -> hello(it);
      case HostRequest.Spawn it -> processes.spawn(it);
      case HostRequest.Forget it -> processes.forget(it);
      case HostRequest.Cancel it -> processes.cancel(it);
      case HostRequest.Signal it -> processes.signal(it);
      case HostRequest.Stdin it -> processes.stdin(it);
      case HostRequest.Resize it -> processes.resize(it);
      case HostRequest.Sweep it -> processes.sweep(it);
      case HostRequest.Consumed it -> consumed(it);
      case HostRequest.Stats _ -> done(stats());
      case HostRequest.Shutdown it -> shutdown(it);
    };
  }

  private CompletionStage<Answer<HostReply>> hello(HostRequest.Hello hello) {
    if (!hello.journalId().equals(settings.journalId())) {
      return refused(RefusalCode.OTHER_JOURNAL, "this host belongs to another journal");
    }
    return done(
        new HostReply.Welcome(
            HostClient.PROTOCOL,
            settings.hostId(),
            settings.build(),
            bootId,
            ProcessHandle.current().pid(),
            features,
            processes.running()));
  }

  private CompletionStage<Answer<HostReply>> consumed(HostRequest.Consumed consumed) {
    try {
      records.deleteBefore(consumed.segment());
    } catch (IOException e) {
      return refused(RefusalCode.INTERNAL, "a segment could not be deleted: " + e);
    }
    processes.forgetBefore(consumed.segment());
    return done(new HostReply.Ok());
  }

  private HostReply stats() {
    var escaped = processes.escaped();
    return new HostReply.Statistics(
        processes.running(),
        processes.remembered(),
        escaped.size(),
        ProcFs.openDescriptors(),
        budget.limit(),
        processes.discardedBytes(),
        records.segment(),
        escaped.stream()
            .limit(ESCAPED_SHOWN_MAX)
            .map(it -> new HostReply.Escaped(it.pid(), it.startTicks(), it.name()))
            .toList());
  }

  private CompletionStage<Answer<HostReply>> shutdown(HostRequest.Shutdown request) {
    if (!request.kill() && processes.running() > 0) {
      return refused(RefusalCode.TASKS_RUNNING, "tasks are running; send kill to end them");
    }
    // The requests that wait for tasks are answered before the host ends.
    return shutDownNow().thenCompose(_ -> done(new HostReply.Ok()));
  }

  /** Ends all tasks, then the host. */
  CompletableFuture<Boolean> shutDownNow() {
    processes.cancelAll();
    if (shuttingDown.compareAndSet(false, true)) {
      Thread.ofPlatform().daemon().name("host-shutdown").start(this::awaitTasks);
    }
    return tasksEnded;
  }

  private void awaitTasks() {
    var began = clock.ticks();
    try {
      awaitTasks(began + SHUTDOWN_GRACE_MAX.toNanos());
      processes.killAll();
      awaitTasks(began + SHUTDOWN_MAX.toNanos());
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    tasksEnded.complete(true);
    shutDown = true;
    over.raise();
  }

  private void awaitTasks(long deadline) throws InterruptedException {
    while (processes.running() > 0 && clock.ticks() < deadline) {
      clock.sleep(SHUTDOWN_POLL);
    }
  }

  boolean isShutDown() {
    return shutDown;
  }

  void awaitShutDown(Duration max) throws InterruptedException {
    var _ = clock.await(over, max);
  }

  private static CompletionStage<Answer<HostReply>> done(HostReply reply) {
    return CompletableFuture.completedFuture(new Answer.Done<>(reply));
  }

  private static CompletionStage<Answer<HostReply>> refused(String code, String message) {
    return CompletableFuture.completedFuture(new Answer.Refused<>(code, message, 0));
  }
}
