package dev.errand.daemon.verb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.errand.core.error.ErrandException;
import dev.errand.core.policy.Profile;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class WaitSlotsTest {
  private static final Caller OTHER =
      Caller.task(
          new TaskId("0198c000-0000-7000-8000-000000000001"), new SessionId("s"), Profile.SAFE);

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final CountDownLatch end = new CountDownLatch(1);

  @AfterEach
  void stop() {
    end.countDown();
    threads.close();
  }

  @Test
  void a_caller_who_is_not_the_owner_has_half_of_the_slots_and_the_owner_gets_the_rest()
      throws Exception {
    try (var slots = new WaitSlots(6)) {
      hold(slots, OTHER, 3);

      assertThatThrownBy(() -> slots.take(OTHER))
          .isInstanceOf(ErrandException.class)
          .hasMessageContaining("3 requests of one caller");
      hold(slots, Caller.PERSON, 3);
      assertThatThrownBy(() -> slots.take(Caller.PERSON))
          .isInstanceOf(ErrandException.class)
          .hasMessageContaining("the limit of 6 requests");
      assertThat(slots.taken()).isEqualTo(6);
    }
  }

  @Test
  void a_slot_that_is_given_back_is_free_again_and_a_refusal_takes_none() {
    try (var slots = new WaitSlots(2)) {
      for (var i = 0; i < 5; i++) {
        var slot = slots.take(OTHER);
        assertThatThrownBy(() -> slots.take(OTHER)).isInstanceOf(ErrandException.class);
        slot.close();
        slot.close();
      }
      assertThat(slots.taken()).isZero();
    }
  }

  @Test
  void whoever_waits_is_interrupted_when_the_slots_close() throws Exception {
    var slots = new WaitSlots(2);
    var waiter = hold(slots, Caller.PERSON, 1).getFirst();
    slots.close();

    assertThatThrownBy(waiter::get)
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(InterruptedException.class);
  }

  /** Each by a thread of its own, as requests are. */
  private List<Future<Boolean>> hold(WaitSlots slots, Caller caller, int count)
      throws InterruptedException {
    var taken = new CountDownLatch(count);
    var holders = new ArrayList<Future<Boolean>>();
    for (var i = 0; i < count; i++) {
      holders.add(
          threads.submit(() -> {
            try (var _ = slots.take(caller)) {
              taken.countDown();
              end.await();
              return true;
            }
          }));
    }
    taken.await();
    return holders;
  }
}
