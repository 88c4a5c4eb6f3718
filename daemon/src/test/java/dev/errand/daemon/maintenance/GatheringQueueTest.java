package dev.errand.daemon.maintenance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.errand.testkit.SettableClock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class GatheringQueueTest {
  private static final Duration TIME = Duration.ofMillis(50);

  private final SettableClock clock = new SettableClock(Instant.EPOCH);
  private final GatheringQueue<String> queue =
      new GatheringQueue<>(new GatheringQueue.Limits(4, 3, TIME), clock);
  private final LinkedBlockingQueue<List<String>> taken = new LinkedBlockingQueue<>();
  private Thread taker = new Thread();

  @BeforeEach
  void open() {
    queue.open();
  }

  @AfterEach
  void close() throws InterruptedException {
    queue.close();
    taker.join();
  }

  @Test
  void the_first_waits_a_while_for_others() throws InterruptedException {
    take();
    queue.offer("a");
    await().until(() -> clock.waiting() == 1);
    queue.offer("b");
    assertThat(taken).isEmpty();

    clock.advance(TIME);
    assertThat(taken.take()).containsExactly("a", "b");
  }

  @Test
  void enough_wait_for_no_time_and_the_rest_comes_next() throws InterruptedException {
    List.of("a", "b", "c", "d").forEach(queue::offer);
    take();

    assertThat(taken.take()).containsExactly("a", "b", "c");
    await().until(() -> clock.waiting() == 1);
    clock.advance(TIME);
    assertThat(taken.take()).containsExactly("d");
  }

  @Test
  void what_has_no_room_is_not_accepted() {
    assertThat(List.of("a", "b", "c", "d")).allMatch(queue::offer);

    assertThat(queue.offer("e")).isFalse();
  }

  @Test
  void nothing_is_accepted_once_it_is_closed_and_what_waits_is_taken_at_once()
      throws InterruptedException {
    queue.offer("a");
    queue.close();

    assertThat(queue.offer("b")).isFalse();
    assertThat(queue.take()).containsExactly("a");
    assertThat(queue.take()).isEmpty();
  }

  private void take() {
    taker =
        Thread.ofVirtual()
            .start(() -> {
              try {
                for (var some = queue.take(); !some.isEmpty(); some = queue.take()) {
                  taken.add(some);
                }
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
  }
}
