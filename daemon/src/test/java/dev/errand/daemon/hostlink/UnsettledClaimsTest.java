package dev.errand.daemon.hostlink;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.errand.core.task.TaskCommand;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskState;
import dev.errand.host.record.HostRecord;
import dev.errand.host.record.RecordWriter;
import dev.errand.host.record.Stamp;
import dev.errand.wire.time.SystemTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** All that a host wrote of an attempt is damaged: it must not forget the attempt. */
@Timeout(60)
final class UnsettledClaimsTest {
  private static final int SEGMENTS = 4;
  private static final int SEGMENT_BYTES = 500;

  @TempDir private Path folder;

  @Test
  void damage_stays_on_disk_until_each_attempt_is_settled_that_it_may_tell_of() throws Exception {
    var link = new LinkFixture(folder);
    var records = Files.createDirectory(folder.resolve("records"));
    var hidden = link.tasks.claimed();
    var busy = link.tasks.running();
    var last = write(records, hidden, busy);
    damage(records.resolve("0000000000000001.rec"), hidden);
    var reached = new AtomicLong();
    try (var pump = link.pump(records)) {
      var running = Thread.ofVirtual().start(() -> run(pump, reached));
      await()
          .until(() -> {
            link.tasks.clock.advance(Duration.ofSeconds(1));
            return lastRecord(link, busy) == last;
          });
      assertThat(pump.isDamaged()).isTrue();
      await().until(() -> reached.get() > 0);
      assertThat(reached).hasValue(1);

      var gone = new TaskCommand.HostLost(1, List.of(), List.of(), List.of(), 9);
      link.tasks.engine.submit(hidden, gone, null).orThrow();
      pump.hint();

      await().until(() -> reached.get() == SEGMENTS);
      running.interrupt();
    }
  }

  private static void run(RecordPump pump, AtomicLong reached) {
    try {
      pump.run(reached::set);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The number of the last record of the busy one. */
  private static long write(Path records, TaskId hidden, TaskId busy) throws IOException {
    var n = 2L;
    try (var writer = RecordWriter.open(records, SEGMENT_BYTES, () -> {}, new SystemTime())) {
      writer.append(new HostRecord.Intent(stamp(hidden, 1), 7));
      writer.append(new HostRecord.NotStarted(stamp(hidden, 2), "spawn_failed", 2, "no such file"));
      while (writer.segment() < SEGMENTS) {
        writer.append(new HostRecord.Signalled(stamp(busy, ++n), "op" + n, "INT", "ann"));
      }
    }
    return n;
  }

  private static void damage(Path file, TaskId taskId) throws IOException {
    var text = Files.readString(file, ISO_8859_1);
    Files.writeString(file, text.replace(taskId.value(), "?".repeat(36)), ISO_8859_1);
  }

  private static long lastRecord(LinkFixture link, TaskId taskId) {
    return ((TaskState.Running) link.tasks.state(taskId)).attempt().lastRecord();
  }

  private static Stamp stamp(TaskId taskId, long n) {
    return new Stamp(taskId, 1, n, 1_000 + n);
  }
}
