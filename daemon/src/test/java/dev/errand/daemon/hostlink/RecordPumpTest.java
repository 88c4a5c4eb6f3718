package dev.errand.daemon.hostlink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskState;
import dev.errand.daemon.artifact.ArtifactStore;
import dev.errand.daemon.engine.EngineFixture;
import dev.errand.daemon.output.LogArchive;
import dev.errand.daemon.store.Durability;
import dev.errand.host.log.LogReader;
import dev.errand.host.record.HostRecord;
import dev.errand.host.record.RecordReader;
import dev.errand.host.record.RecordWriter;
import dev.errand.host.record.Stamp;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Records of a host on their way into the journal. */
@Timeout(60)
final class RecordPumpTest {
  private static final int SEGMENT_BYTES = 500;

  private final EngineFixture fixture = new EngineFixture();
  private final AtomicLong reached = new AtomicLong();
  private final RecordWriter writer;
  private final RecordPump pump;

  RecordPumpTest(@TempDir Path folder) throws IOException {
    var records = Files.createDirectory(folder.resolve("records"));
    var artifacts =
        new ArtifactStore(folder.resolve("artifacts"), Durability.NORMAL, fixture.clock);
    var archive = new LogArchive(new LogReader(folder.resolve("logs")), artifacts);
    var facts = new Facts(archive);
    var reader = new RecordReader(records);
    this.pump = new RecordPump(fixture.engine, reader, facts, (_, _) -> {}, LastLook.NONE);
    this.writer = RecordWriter.open(records, SEGMENT_BYTES, pump::hint);
    Thread.ofVirtual().start(this::run);
  }

  private void run() {
    try {
      pump.run(reached::set);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @AfterEach
  void stop() throws IOException {
    pump.close();
    writer.close();
  }

  @Test
  void an_intent_of_which_nothing_came_yet_stays_on_disk() {
    var starting = fixture.claimed();
    writer.append(new HostRecord.Intent(stamp(starting, 1), 7));
    var busy = fixture.running();
    var n = 2L;
    while (writer.segment() < 4) {
      writer.append(new HostRecord.Signalled(stamp(busy, ++n), "op" + n, "INT", "ann"));
    }
    var last = n;
    await().until(() -> lastRecord(busy) == last);
    assertThat(reached).hasValueLessThan(2);

    writer.append(new HostRecord.Started(stamp(starting, 2), 4711, 99, "boot", ""));

    await().until(() -> reached.get() == writer.segment());
    assertThat(((TaskState.Running) fixture.state(starting)).process().tag()).isEqualTo(7);
  }

  private long lastRecord(TaskId taskId) {
    return ((TaskState.Running) fixture.state(taskId)).attempt().lastRecord();
  }

  private static Stamp stamp(TaskId taskId, long n) {
    return new Stamp(taskId, 1, n, 1_000 + n);
  }
}
