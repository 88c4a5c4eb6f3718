package dev.errand.daemon.engine;

import static dev.errand.daemon.engine.EngineFixture.SESSION;
import static dev.errand.daemon.engine.EngineFixture.cancel;
import static dev.errand.daemon.engine.EngineFixture.exited;
import static dev.errand.daemon.engine.EngineFixture.report;
import static dev.errand.daemon.engine.EngineFixture.signalled;
import static dev.errand.daemon.engine.EngineFixture.spec;
import static org.assertj.core.api.Assertions.assertThat;

import dev.errand.core.engine.Engine.Submission;
import dev.errand.core.engine.Outcome;
import dev.errand.core.journal.StreamKey;
import dev.errand.core.session.SessionEvent;
import dev.errand.core.task.TaskCommand;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskState;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Many threads at one engine; a deadlock shows as work that was cancelled. */
final class EngineThreadsTest {
  private static final int THREADS = 8;
  private static final int ROUNDS = 300;
  private static final int SECONDS_MAX = 30;

  private final EngineFixture at = new EngineFixture();

  @Test
  void listeners_see_each_stream_in_its_order_and_nothing_twice() throws Exception {
    var tasks = List.of(at.running(), at.running(), at.running());
    var number = new AtomicLong(2);

    inThreads(random -> {
      for (var i = 0; i < ROUNDS; i++) {
        var taskId = tasks.get(random.nextInt(tasks.size()));
        at.engine.submit(taskId, report(signalled(number.incrementAndGet())), null).orThrow();
      }
    });

    for (var taskId : tasks) {
      assertThat(at.toldSeqs(taskId)).isEqualTo(upTo(at.engine.snapshot(taskId).lastSeq()));
      assertThat(at.journal.lastSeq(StreamKey.of(taskId)))
          .isEqualTo(at.engine.snapshot(taskId).lastSeq());
    }
  }

  @Test
  void whoever_looks_at_a_task_sees_what_is_committed_and_does_not_wait_for_what_is_not()
      throws Exception {
    var taskId = at.running();
    var before = at.engine.snapshot(taskId);
    var committing = new CountDownLatch(1);
    var mayCommit = new CountDownLatch(1);
    at.journal.beforeCommit(_ -> {
      committing.countDown();
      awaitQuietly(mayCommit);
    });
    var signalling =
        Thread.ofVirtual().start(() -> at.engine.submit(taskId, report(signalled(3)), null));
    committing.await();

    assertThat(at.engine.snapshot(taskId)).isEqualTo(before);

    mayCommit.countDown();
    signalling.join();
    assertThat(at.engine.snapshot(taskId).lastSeq()).isEqualTo(before.lastSeq() + 1);
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void overlapping_sets_in_any_order_never_wait_for_each_other_in_a_ring() throws Exception {
    var tasks = IntStream.range(0, 6).mapToObj(_ -> at.running()).toList();
    var number = new AtomicLong(2);

    inThreads(random -> {
      for (var i = 0; i < ROUNDS; i++) {
        var some = new ArrayList<Submission>();
        for (var taskId : shuffled(tasks, random).subList(0, 1 + random.nextInt(5))) {
          some.add(new Submission(taskId, report(signalled(number.incrementAndGet()))));
        }
        at.engine.submitAll(some);
      }
    });

    for (var taskId : tasks) {
      assertThat(at.toldSeqs(taskId)).isEqualTo(upTo(at.engine.snapshot(taskId).lastSeq()));
    }
  }

  @Test
  void of_many_who_claim_spawn_or_cancel_one_wins() throws Exception {
    for (var round = 0; round < 50; round++) {
      var taskId = at.ids.nextTask();
      var spawns = new AtomicLong();
      var claims = new AtomicLong();

      inThreads(_ -> {
        if (changed(taskId, new TaskCommand.Spawn(spec(), null))) {
          spawns.incrementAndGet();
        }
        if (changed(taskId, new TaskCommand.Claim.OnHost("host-a"))) {
          claims.incrementAndGet();
        }
        at.engine.submit(taskId, report(exited(3, 10)), null).orThrow();
        at.engine.submit(taskId, cancel(), null).orThrow();
      });

      assertThat(spawns).hasValue(1);
      assertThat(claims).hasValue(1);
      assertThat(at.state(taskId)).isInstanceOf(TaskState.Ended.class);
      assertThat(at.engine.live()).isEmpty();
    }
  }

  @Test
  void an_ended_task_is_removed_once_however_many_ask() throws Exception {
    for (var round = 0; round < 50; round++) {
      var taskId = at.ended();
      var removed = new AtomicLong();

      inThreads(_ -> {
        var outcome = at.engine.remove(taskId, "done", "ann", null);
        if (outcome instanceof Outcome.Accepted) {
          removed.incrementAndGet();
        }
      });

      assertThat(removed).hasValue(1);
    }
  }

  @Test
  void a_session_s_stream_has_no_gap_however_many_write() throws Exception {
    var event = new SessionEvent.ResultRead(at.ids.nextTask(), "ann");

    inThreads(_ -> {
      for (var i = 0; i < ROUNDS; i++) {
        at.engine.record(SESSION, List.of(event), _ -> {});
      }
    });

    assertThat(at.told.frames.get(StreamKey.of(SESSION)))
        .extracting(it -> it.seq())
        .isEqualTo(upTo(THREADS * ROUNDS - 1));
  }

  private boolean changed(TaskId taskId, TaskCommand command) {
    return at.engine.submit(taskId, command, null) instanceof Outcome.Accepted(_, var changed)
        && changed;
  }

  private static List<Long> upTo(long lastSeq) {
    return LongStream.rangeClosed(0, lastSeq).boxed().toList();
  }

  private static List<TaskId> shuffled(List<TaskId> tasks, Random random) {
    var shuffled = new ArrayList<>(tasks);
    Collections.shuffle(shuffled, random);
    return shuffled;
  }

  private interface Work {
    void run(Random random);
  }

  private static void inThreads(Work work) throws Exception {
    var calls = new ArrayList<Callable<Boolean>>();
    for (var seed = 0; seed < THREADS; seed++) {
      var random = new Random(seed);
      calls.add(() -> {
        work.run(random);
        return true;
      });
    }
    // Threads that wait for each other cannot be ended: they must not hold up the build.
    var executor = Executors.newFixedThreadPool(THREADS, Thread.ofPlatform().daemon().factory());
    try {
      for (var done : executor.invokeAll(calls, SECONDS_MAX, TimeUnit.SECONDS)) {
        assertThat(done.get()).isTrue();
      }
    } finally {
      executor.shutdownNow();
    }
  }
}
