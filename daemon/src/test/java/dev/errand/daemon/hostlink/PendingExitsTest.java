package dev.errand.daemon.hostlink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.errand.core.task.HostFact;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskId;
import dev.errand.daemon.engine.EngineFixture;
import dev.errand.testkit.SequentialIds;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
final class PendingExitsTest {
  private static final HostFact.Exited END = (HostFact.Exited) EngineFixture.exited(4, 10);

  private final SequentialIds ids = new SequentialIds();
  private final List<TaskId> committed = new CopyOnWriteArrayList<>();
  private final CountDownLatch scanned = new CountDownLatch(1);

  private PendingExits ends(Scan scan) {
    var finalScan =
        new FinalScan() {
          @Override
          public boolean isNeeded(TaskId taskId) {
            return true;
          }

          @Override
          public void run(TaskId taskId, Map<LogStream, Long> totals) throws InterruptedException {
            assertThat(totals).containsEntry(LogStream.STDOUT, 10L);
            scan.run();
          }
        };
    return new PendingExits(finalScan, (taskId, _) -> committed.add(taskId), (_, _) -> {});
  }

  private interface Scan {
    void run() throws InterruptedException;
  }

  @Test
  void an_end_waits_for_its_scan_and_its_record_stays_until_it_is_committed() throws Exception {
    var ends = ends(scanned::await);
    var taskId = ids.nextTask();

    ends.add(taskId, END, 3);

    assertThat(ends.firstSegment(7)).isEqualTo(3);
    assertThat(committed).isEmpty();
    scanned.countDown();
    ends.await();
    assertThat(committed).containsExactly(taskId);
    assertThat(ends.firstSegment(7)).isEqualTo(7);
  }

  @Test
  void of_several_the_oldest_record_counts() {
    var ends = ends(scanned::await);
    ends.add(ids.nextTask(), END, 5);
    ends.add(ids.nextTask(), END, 4);

    assertThat(ends.firstSegment(9)).isEqualTo(4);
    scanned.countDown();
    await().until(() -> ends.firstSegment(9) == 9);
    assertThat(committed).hasSize(2);
  }

  @Test
  void a_scan_that_fails_keeps_no_task_from_its_end() throws Exception {
    var ends =
        ends(() -> {
          throw new IllegalStateException("a watcher with a bug");
        });
    var taskId = ids.nextTask();

    ends.add(taskId, END, 1);
    ends.await();

    assertThat(committed).containsExactly(taskId);
  }
}
