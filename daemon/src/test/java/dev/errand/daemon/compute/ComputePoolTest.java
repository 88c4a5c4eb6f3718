package dev.errand.daemon.compute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.wire.time.SystemTime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class ComputePoolTest {
  private final ComputePool pool = ComputePool.start(1, new SystemTime());
  private final List<Thread> callers = new ArrayList<>();
  private final CountDownLatch gate = new CountDownLatch(1);

  @AfterEach
  void close() throws InterruptedException {
    gate.countDown();
    for (var caller : callers) {
      caller.join();
    }
    pool.close();
  }

  private Thread start(Share share, Job job) {
    var thread =
        Thread.ofVirtual()
            .start(() -> {
              try {
                share.run(job);
              } catch (InterruptedException | ErrandException _) {
                // Told by what the job did, or did not.
              }
            });
    callers.add(thread);
    return thread;
  }

  /** Holds the only thread until the gate opens. */
  private void holdThread() throws InterruptedException {
    var begun = new CountDownLatch(1);
    start(
        pool.share("first", false),
        _ -> {
          begun.countDown();
          try {
            gate.await();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
          return true;
        });
    begun.await();
  }

  /** Notes its name at each step, and takes so many. */
  private static Job noting(List<String> steps, String name, int count) {
    var left = new AtomicInteger(count);
    return _ -> {
      steps.add(name);
      return left.decrementAndGet() == 0;
    };
  }

  @Test
  void a_job_runs_step_by_step_on_a_thread_of_the_pool_until_it_is_done() throws Exception {
    var threads = new CopyOnWriteArrayList<Thread>();

    pool.share("somebody", false)
        .run(_ -> {
          threads.add(Thread.currentThread());
          return threads.size() == 3;
        });

    assertThat(threads)
        .hasSize(3)
        .allMatch(it -> !it.isVirtual())
        .doesNotContain(Thread.currentThread());
    assertThat(pool.jobs()).isZero();
  }

  @Test
  void callers_take_turns_however_many_jobs_one_of_them_has() throws Exception {
    holdThread();
    var steps = new CopyOnWriteArrayList<String>();
    for (var i = 0; i < 10; i++) {
      start(pool.share("many", false), noting(steps, "many", 5));
    }
    await().until(() -> pool.jobs() == 11);
    start(pool.share("one", false), noting(steps, "one", 5));
    await().until(() -> pool.jobs() == 12);

    gate.countDown();
    await().until(() -> pool.jobs() == 0);

    assertThat(steps).hasSize(55);
    assertThat(steps.subList(0, 10))
        .containsOnly("many", "one")
        .filteredOn("one"::equals)
        .hasSize(5);
  }

  @Test
  void jobs_of_one_caller_take_turns_too() throws Exception {
    holdThread();
    var steps = new CopyOnWriteArrayList<String>();
    start(pool.share("somebody", false), noting(steps, "long", 1_000));
    await().until(() -> pool.jobs() == 2);
    start(pool.share("somebody", false), noting(steps, "short", 1));
    await().until(() -> pool.jobs() == 3);

    gate.countDown();
    await().until(() -> pool.jobs() == 0);

    assertThat(steps.indexOf("short")).isEqualTo(1);
  }

  @Test
  void the_owner_goes_first() throws Exception {
    holdThread();
    var steps = new CopyOnWriteArrayList<String>();
    for (var i = 0; i < 20; i++) {
      start(pool.share("guest " + i, false), noting(steps, "guest", 1));
    }
    await().until(() -> pool.jobs() == 21);
    start(pool.share("owner", true), noting(steps, "owner", 1));
    await().until(() -> pool.jobs() == 22);

    gate.countDown();
    await().until(() -> pool.jobs() == 0);

    assertThat(steps).startsWith("owner").hasSize(21);
  }

  @Test
  void one_job_too_many_is_refused_and_other_callers_are_not() throws Exception {
    holdThread();
    var share = pool.share("greedy", false);
    for (var i = 0; i < ComputePool.JOBS_PER_CALLER_MAX; i++) {
      start(share, _ -> true);
    }
    await().until(() -> pool.jobs() == ComputePool.JOBS_PER_CALLER_MAX + 1);

    assertThatThrownBy(() -> share.run(_ -> true))
        .isInstanceOfSatisfying(
            ErrandException.class, it -> assertThat(it.code()).isEqualTo(ErrorCode.LIMIT_EXCEEDED))
        .hasMessageContaining("64");
    assertThatThrownBy(share::checkRoom).isInstanceOf(ErrandException.class);
    pool.share("modest", false).checkRoom();
    var later = new AtomicInteger();
    start(
        share.admitted(),
        _ -> {
          later.incrementAndGet();
          return true;
        });

    gate.countDown();
    await().until(() -> later.get() == 1);
  }

  @Test
  void what_a_step_throws_reaches_the_caller_and_the_pool_goes_on() throws Exception {
    var share = pool.share("somebody", false);

    assertThatThrownBy(() ->
            share.run(_ -> {
              throw new ErrandException(ErrorCode.OUTPUT_DROPPED, "gone");
            }))
        .hasMessage("gone");
    assertThatThrownBy(() ->
            share.run(_ -> {
              throw new StackOverflowError("deep");
            }))
        .hasMessage("deep");

    share.run(_ -> true);
    assertThat(pool.jobs()).isZero();
  }

  @Test
  void a_caller_that_is_interrupted_takes_its_job_back() throws Exception {
    holdThread();
    var ran = new AtomicInteger();
    var caller =
        start(
            pool.share("impatient", false),
            _ -> {
              ran.incrementAndGet();
              return true;
            });
    await().until(() -> pool.jobs() == 2);

    caller.interrupt();
    caller.join();
    gate.countDown();
    pool.share("first", false).run(_ -> true);

    assertThat(ran).hasValue(0);
    assertThat(pool.jobs()).isZero();
  }

  @Test
  void closing_interrupts_those_who_wait() throws Exception {
    holdThread();
    var failure = new AtomicReference<Throwable>();
    var caller =
        Thread.ofVirtual()
            .start(() -> {
              try {
                pool.share("late", false).run(_ -> true);
              } catch (Throwable e) {
                failure.set(e);
              }
            });
    await().until(() -> pool.jobs() == 2);

    var closing = Thread.ofVirtual().start(pool::close);
    caller.join();
    gate.countDown();
    closing.join();

    assertThat(failure.get()).isInstanceOf(InterruptedException.class);
    assertThatThrownBy(() -> pool.share("later", false).run(_ -> true))
        .isInstanceOf(InterruptedException.class);
  }
}
