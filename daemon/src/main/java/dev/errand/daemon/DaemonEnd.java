package dev.errand.daemon;

import dev.errand.core.engine.Engine;
import dev.errand.core.engine.Snapshot;
import dev.errand.core.error.ErrandException;
import dev.errand.core.task.TaskId;
import dev.errand.core.time.Time;
import dev.errand.daemon.config.Config;
import dev.errand.daemon.hostlink.HostPool;
import dev.errand.daemon.schedule.Scheduler;
import dev.errand.daemon.task.Tasks;
import dev.errand.daemon.verb.Admin;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The stop of the daemon: what happens to its tasks first, and how long it waits for them. Requests
 * are answered meanwhile. A second request ends the wait at once, unless all tasks are to be ended.
 */
final class DaemonEnd {
  private static final Logger log = LoggerFactory.getLogger(DaemonEnd.class);

  /** Longer than any grace time plus the kill after it. */
  private static final Duration TASKS_END_MAX = Duration.ofSeconds(30);

  private static final Duration LOOK_AGAIN = Duration.ofMillis(20);

  private final Runnable stop;
  private final Engine engine;
  private final Tasks tasks;
  private final HostPool hosts;
  private final Scheduler scheduler;
  private final Supplier<Config.Stopping> settings;
  private final Time clock;
  private volatile @Nullable Thread underWay;
  private boolean endingAll;

  /** {@code stop}: starts closing everything, and returns at once. */
  DaemonEnd(Runnable stop, Startup startup, Parts parts) {
    this.stop = stop;
    this.engine = parts.storage().engine;
    this.tasks = parts.scheduling().tasks;
    this.hosts = parts.hosting().hosts;
    this.scheduler = parts.scheduling().scheduler;
    this.settings = () -> startup.config().tasks().stopping();
    this.clock = startup.clock();
  }

  /** The work before the daemon stops. */
  private record Plan(Admin.Stopping told, Work work) {
    interface Work {
      void run() throws IOException, InterruptedException;
    }
  }

  /** Starts stopping; returns at once with the chosen action. */
  synchronized Admin.Stopping ask(Admin.Stop how) {
    if (endingAll) {
      return told("kill", TASKS_END_MAX);
    }
    endingAll = how == Admin.Stop.WITH_ALL;
    var before = underWay;
    var plan = before == null ? plan(how) : planAgain(how);
    if (before != null) {
      before.interrupt();
    }
    underWay = Thread.ofVirtual().name("stop").start(() -> carryOut(plan));
    return plan.told();
  }

  private Plan plan(Admin.Stop how) {
    return switch (how) {
      case FOR_NOW -> asSet();
      case FOR_RESTART -> leaving();
      case WITH_ALL -> new Plan(told("kill", TASKS_END_MAX), this::endAll);
    };
  }

  private Plan planAgain(Admin.Stop how) {
    return how == Admin.Stop.WITH_ALL ? plan(how) : leaving();
  }

  private Plan asSet() {
    var set = settings.get();
    var wait = set.waitMax();
    return switch (set.onStop()) {
      case DETACH -> leaving();
      case DRAIN -> new Plan(told("drain", wait), () -> drain(wait));
      case KILL -> new Plan(told("kill", wait), () -> kill(wait));
    };
  }

  /** Without tasks there is no wait. */
  private Admin.Stopping told(String onStop, Duration waitMax) {
    return new Admin.Stopping(onStop, engine.live().isEmpty() ? Duration.ZERO : waitMax);
  }

  private static Plan leaving() {
    return new Plan(new Admin.Stopping("detach", Duration.ZERO), () -> {});
  }

  private void carryOut(Plan plan) {
    try {
      plan.work().run();
    } catch (IOException e) {
      log.warn("not all hosts of other journals could be ended", e);
    } catch (InterruptedException _) {
      // A second request continues here.
      return;
    } catch (RuntimeException e) {
      log.error("stopping, although not all steps before the stop were completed", e);
    }
    log.info("stopping; {} tasks are left in their hosts", scheduler.load().running());
    stop.run();
  }

  private void endAll() throws IOException, InterruptedException {
    scheduler.standStill();
    endAllTasks();
    hosts.endForeignHosts(TASKS_END_MAX);
  }

  /** Cancels every task and ends the hosts; returns when done, or on timeout. */
  void endAllTasks() throws InterruptedException {
    // In parallel, so that many cancels share a commit.
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      engine
          .live()
          .forEach(it -> threads.execute(() -> cancel(it.taskId(), "errand down --all", "cli")));
    }
    hosts.shutdownAll(TASKS_END_MAX);
  }

  private void drain(Duration wait) throws InterruptedException {
    scheduler.standStill();
    log.info(
        "stopping; {} tasks have {} s to end, and no new task is started",
        scheduler.load().running(),
        wait.toSeconds());
    await(wait, () -> scheduler.load().running() == 0);
  }

  private void kill(Duration wait) throws InterruptedException {
    scheduler.standStill();
    var asked = new HashSet<TaskId>();
    log.info("stopping; cancelling all tasks, which may take {} s", wait.toSeconds());
    await(
        wait,
        () -> {
          var live = engine.live();
          // Read each time, since a task may have been accepted meanwhile.
          live.stream().map(Snapshot::taskId).filter(asked::add).forEach(this::cancelAside);
          return live.isEmpty();
        });
  }

  /** Asynchronous, since its host may take longer to answer than the daemon waits. */
  private void cancelAside(TaskId taskId) {
    Thread.ofVirtual()
        .name("stop-cancel")
        .start(() -> cancel(taskId, "the daemon was stopped", "daemon"));
  }

  private void cancel(TaskId taskId, String reason, String by) {
    try {
      tasks.cancel(taskId, reason, by, null);
    } catch (ErrandException e) {
      log.warn("task {} cannot be cancelled: {}", taskId, e.getMessage());
    }
  }

  private void await(Duration wait, BooleanSupplier over) throws InterruptedException {
    var deadline = clock.ticks() + wait.toNanos();
    while (!over.getAsBoolean() && clock.ticks() < deadline) {
      clock.sleep(LOOK_AGAIN);
    }
  }

  /** Why this daemon accepts no tasks. */
  Optional<String> notReady() {
    return underWay == null ? Optional.empty() : Optional.of("the daemon is stopping");
  }
}
