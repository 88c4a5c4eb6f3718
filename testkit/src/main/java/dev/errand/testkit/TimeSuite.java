package dev.errand.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.errand.core.time.Signal;
import dev.errand.core.time.Time;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What every clock must do for those who wait by it. */
@Timeout(60)
public abstract class TimeSuite {
  private static final Duration SHORT = Duration.ofMillis(20);
  private static final Duration LONG = Duration.ofHours(1);

  private final Signal signal = new Signal();

  /** The same clock at each call. */
  protected abstract Time clock();

  /** Lets so much time pass, by hand or by waiting. */
  protected abstract void pass(Duration time) throws InterruptedException;

  @Test
  public void what_passes_is_seen_by_the_ticks_and_on_the_wall() throws Exception {
    var ticks = clock().ticks();
    var wall = clock().instant();

    pass(SHORT);

    assertThat(clock().ticks() - ticks).isGreaterThanOrEqualTo(SHORT.toNanos());
    assertThat(clock().instant()).isAfter(wall);
  }

  @Test
  public void a_signal_lets_one_go_on_once_also_when_it_was_raised_before() throws Exception {
    signal.raise();
    signal.raise();

    assertThat(clock().await(signal, LONG)).isTrue();
    assertThat(clock().await(signal, Duration.ZERO)).isFalse();
  }

  @Test
  public void a_signal_wakes_who_waits() throws Exception {
    var waiting = new FutureTask<>(() -> clock().await(signal, LONG));
    var thread = Thread.ofVirtual().start(waiting);
    await().until(() -> thread.getState() != Thread.State.RUNNABLE);

    signal.raise();

    assertThat(waiting.get()).isTrue();
  }

  @Test
  public void a_wait_ends_with_its_time_and_not_before() throws Exception {
    var began = clock().ticks();
    var waiting =
        new FutureTask<>(() -> {
          var raised = clock().await(signal, SHORT);
          assertThat(clock().ticks() - began).isGreaterThanOrEqualTo(SHORT.toNanos());
          return raised;
        });
    var _ = Thread.ofVirtual().start(waiting);

    await()
        .until(() -> {
          pass(SHORT);
          return waiting.isDone();
        });
    assertThat(waiting.get()).isFalse();
  }

  @Test
  public void a_timer_acts_once_when_its_time_has_come() throws Exception {
    var acted = new AtomicInteger();
    var done = new CompletableFuture<Void>();
    var _ = clock().after(SHORT, acted::incrementAndGet);
    var _ = clock().after(SHORT.multipliedBy(2), () -> done.complete(null));

    pass(SHORT.multipliedBy(3));
    done.join();

    await().until(() -> acted.get() == 1);
  }

  @Test
  public void a_timer_that_was_cancelled_does_nothing() throws Exception {
    var acted = new AtomicInteger();
    clock().after(SHORT, acted::incrementAndGet).cancel();

    pass(SHORT.multipliedBy(2));

    assertThat(acted).hasValue(0);
  }

  @Test
  public void who_sleeps_can_be_interrupted() throws Exception {
    var interrupted = new CompletableFuture<Boolean>();
    var thread =
        Thread.ofVirtual()
            .start(() -> {
              try {
                clock().sleep(LONG);
                interrupted.complete(false);
              } catch (InterruptedException _) {
                interrupted.complete(true);
              }
            });

    thread.interrupt();

    assertThat(interrupted.join()).isTrue();
  }
}
