package dev.errand.daemon.hostlink;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.errand.core.engine.CommitListener;
import dev.errand.core.journal.EncodedFrame;
import dev.errand.core.journal.StreamKey;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.Logs;
import dev.errand.core.task.MergeInterval;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskState;
import dev.errand.daemon.engine.EngineFixture;
import dev.errand.host.record.Extent;
import dev.errand.host.record.HostRecord;
import dev.errand.host.record.RecordWriter;
import dev.errand.host.record.Stamp;
import dev.errand.host.record.StreamEnd;
import dev.errand.wire.time.SystemTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Records of a host on their way into the journal. */
@Timeout(60)
final class RecordPumpTest {
  private static final int SEGMENT_BYTES = 500;
  private static final byte[] HEAD = "head of the log\n".getBytes(UTF_8);
  private static final byte[] TAIL = "tail of the log\n".getBytes(UTF_8);

  private final EngineFixture fixture;
  private final AtomicLong reached = new AtomicLong();
  private final Path folder;
  private final RecordWriter writer;
  private final RecordPump pump;

  RecordPumpTest(@TempDir Path folder) throws IOException {
    this.folder = folder;
    var records = Files.createDirectory(folder.resolve("records"));
    var link = new LinkFixture(folder);
    this.fixture = link.tasks;
    this.pump = link.pump(records);
    this.writer = RecordWriter.open(records, SEGMENT_BYTES, pump::hint, new SystemTime());
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

  @Test
  void output_stays_on_disk_until_a_frame_tells_of_it_and_is_told_when_it_is_due()
      throws Exception {
    var taskId = fixture.runningWithManyFrames();
    var busy = fixture.running();
    write(taskId, 0, join(HEAD, TAIL));
    writer.append(output(taskId, 3, 0, HEAD));
    await().until(() -> logOf(taskId).bytesTotal() == HEAD.length);
    writer.append(output(taskId, 4, HEAD.length, TAIL));
    var n = 2L;
    while (writer.segment() < 4) {
      writer.append(new HostRecord.Signalled(stamp(busy, ++n), "op" + n, "INT", "ann"));
    }
    var last = n;
    await().until(() -> lastRecord(busy) == last);
    assertThat(reached).hasValueLessThan(4);
    assertThat(logOf(taskId).bytesTotal()).isEqualTo(HEAD.length);

    fixture.clock.advance(MergeInterval.MAX);
    pump.hint();

    await().until(() -> logOf(taskId).bytesTotal() == HEAD.length + TAIL.length);
    await()
        .until(() -> {
          fixture.clock.advance(Duration.ofSeconds(1));
          return reached.get() == writer.segment();
        });
    assertThat(lastRecord(taskId)).isEqualTo(4);
  }

  private Logs.Log logOf(TaskId taskId) {
    return ((TaskState.Live) fixture.state(taskId)).facts().logs().of(LogStream.STDOUT);
  }

  @Test
  void the_log_of_a_task_is_an_artifact_when_it_is_over() throws Exception {
    var taskId = fixture.running();
    write(taskId, 0, HEAD);

    report(taskId, HEAD, 0);

    assertThat(endOf(taskId).end()).isNotNull();
  }

  @Test
  void a_log_in_parts_is_an_artifact_when_its_task_is_over() throws Exception {
    var taskId = fixture.running();
    write(taskId, 0, HEAD);
    write(taskId, HEAD.length, TAIL);

    report(taskId, join(HEAD, TAIL), 0);

    assertThat(endOf(taskId).end()).isNotNull();
  }

  @Test
  void a_log_that_is_gone_costs_its_task_the_artifact_and_no_other_anything() throws Exception {
    var gone = fixture.running();
    var other = fixture.running();
    write(other, 0, join(HEAD, TAIL));

    report(gone, HEAD, 0);
    report(other, join(HEAD, TAIL), 0);

    assertThat(endOf(other).end()).isNotNull();
    var log = endOf(gone);
    assertThat(log.end()).isNull();
    assertThat(log.lost()).hasSize(1);
    assertThat(log.bytesTotal()).isEqualTo(HEAD.length);
    assertThat(log.bytesStored()).isZero();
  }

  @Test
  void the_end_of_a_task_that_was_removed_with_its_logs_is_passed_over() throws Exception {
    var other = fixture.running();
    write(other, 0, HEAD);

    report(fixture.ids.nextTask(), join(HEAD, TAIL), 0);
    report(other, HEAD, 0);

    assertThat(endOf(other).end()).isNotNull();
  }

  @Test
  void of_a_capped_log_that_is_damaged_the_lost_part_is_named() throws Exception {
    var taskId = fixture.running();
    var dropped = 100;
    write(taskId, 0, HEAD);
    write(taskId, HEAD.length + dropped, "fail".getBytes(UTF_8));

    report(taskId, join(HEAD, TAIL), dropped);

    var log = endOf(taskId);
    assertThat(log.end()).isNull();
    assertThat(log.lost()).hasSize(1);
    assertThat(log.lost().getFirst().from()).isEqualTo(HEAD.length + dropped);
    assertThat(log.bytesStored()).isEqualTo(HEAD.length);
  }

  @Test
  void a_log_for_which_there_is_no_room_becomes_an_artifact_when_there_is() throws Exception {
    try (var disk = SmallDisk.full(folder.resolve("artifacts"))) {
      var waiting = fixture.running();
      var other = fixture.running();
      write(waiting, 0, HEAD);

      report(waiting, HEAD, 0);
      writer.append(LinkFixture.exited(stamp(other, 7), List.of()));
      await().until(() -> fixture.state(other) instanceof TaskState.Ended);
      assertThat(fixture.state(waiting)).isInstanceOf(TaskState.Running.class);
      disk.free();

      var log = endOf(waiting);
      assertThat(log.end()).isNotNull();
      assertThat(log.lost()).isEmpty();
    }
  }

  @Test
  void a_log_for_which_there_is_never_room_holds_its_task_up_for_a_time_only() throws Exception {
    try (var _ = SmallDisk.full(folder.resolve("artifacts"))) {
      var taskId = fixture.running();
      write(taskId, 0, HEAD);

      report(taskId, HEAD, 0);

      var log = endOf(taskId);
      assertThat(log.end()).isNull();
      assertThat(log.bytesTotal()).isEqualTo(HEAD.length);
      assertThat(log.lost()).isEmpty();
    }
  }

  /** A file system that has no room until it is freed. */
  private record SmallDisk(Path mounted) implements AutoCloseable {
    static SmallDisk full(Path folder) throws IOException {
      assumeTrue(
          run("mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", folder.toString()) == 0,
          "the right to mount a tmpfs is missing");
      var disk = new SmallDisk(folder);
      Files.write(disk.filler(), new byte[64 << 10]);
      return disk;
    }

    private Path filler() {
      return mounted.resolve("filler");
    }

    void free() throws IOException {
      Files.delete(filler());
    }

    @Override
    public void close() throws IOException {
      var _ = run("umount", "-l", mounted.toString());
    }

    private static int run(String... command) throws IOException {
      var process = new ProcessBuilder(command).redirectErrorStream(true).start();
      return process.onExit().join().exitValue();
    }
  }

  @Test
  void a_bug_in_a_listener_does_not_end_the_reader_of_the_records() throws Exception {
    var first = fixture.running();
    var second = fixture.running();
    write(first, 0, HEAD);
    write(second, 0, HEAD);
    fixture.engine.subscribe(new FailingListener());

    report(first, HEAD, 0);
    endOf(first);
    report(second, HEAD, 0);

    assertThat(endOf(second).end()).isNotNull();
    assertThat(fixture.listenerFailures).hasOnlyElementsOfType(NoSuchElementException.class);
    assertThat(pump.failures()).as("all of it is recorded").isZero();
  }

  private static final class FailingListener implements CommitListener {
    @Override
    public void advanced(StreamKey stream, List<EncodedFrame> frames) {
      throw new NoSuchElementException("a listener with a bug");
    }
  }

  @Test
  void records_that_a_bug_keeps_from_the_journal_are_passed_over_and_counted() throws Exception {
    var first = fixture.running();
    var second = fixture.running();
    write(second, 0, HEAD);
    fixture.journal.beforeCommit(_ -> {
      throw new NoSuchElementException("a bug");
    });

    writer.append(new HostRecord.Signalled(stamp(first, 3), "op", "INT", "ann"));
    await().until(() -> pump.failures() > 0);
    fixture.journal.beforeCommit(_ -> {});
    report(second, HEAD, 0);

    assertThat(endOf(second).end()).isNotNull();
    assertThat(pump.isDamaged()).as("ends that were skipped are searched for").isTrue();
  }

  private void write(TaskId taskId, long offset, byte[] bytes) throws IOException {
    var id = taskId.value();
    var shard = folder.resolve("logs").resolve(id.substring(id.length() - 2));
    Files.write(
        Files.createDirectories(shard.resolve(id)).resolve("stdout.%020d".formatted(offset)),
        bytes);
  }

  /** What a host says of a task that wrote these bytes and ended; of a cap, before the tail. */
  private void report(TaskId taskId, byte[] stored, long dropped) throws Exception {
    writer.append(output(taskId, 3, 0, HEAD));
    var total = stored.length + dropped;
    if (dropped > 0) {
      writer.append(output(taskId, 4, HEAD.length, new byte[(int) dropped]));
      writer.append(
          new HostRecord.Gap(
              stamp(taskId, 5), LogStream.STDOUT, HEAD.length, HEAD.length + dropped));
    }
    if (stored.length > HEAD.length) {
      writer.append(output(taskId, 6, HEAD.length + dropped, TAIL));
    }
    var extents =
        dropped == 0
            ? List.of(new Extent(0, total))
            : List.of(new Extent(0, HEAD.length), new Extent(HEAD.length + dropped, total));
    var end = new StreamEnd(LogStream.STDOUT, total, stored.length, 1, sha256(stored), extents);
    writer.append(LinkFixture.exited(stamp(taskId, 7), List.of(end)));
  }

  private static HostRecord output(TaskId taskId, long n, long offset, byte[] bytes) {
    var crc = new CRC32C();
    crc.update(bytes);
    return new HostRecord.Output(
        stamp(taskId, n), LogStream.STDOUT, offset, bytes.length, (int) crc.getValue());
  }

  /** Lets time pass until it is over. */
  private Logs.Log endOf(TaskId taskId) {
    await()
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(5))
        .until(() -> {
          fixture.clock.advance(Duration.ofMillis(100));
          return fixture.state(taskId) instanceof TaskState.Ended;
        });
    return ((TaskState.Ended) fixture.state(taskId)).facts().logs().of(LogStream.STDOUT);
  }

  private long lastRecord(TaskId taskId) {
    return ((TaskState.Running) fixture.state(taskId)).attempt().lastRecord();
  }

  private static byte[] join(byte[] head, byte[] tail) {
    var all = Arrays.copyOf(head, head.length + tail.length);
    System.arraycopy(tail, 0, all, head.length, tail.length);
    return all;
  }

  private static String sha256(byte[] bytes) throws Exception {
    return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
  }

  private static Stamp stamp(TaskId taskId, long n) {
    return new Stamp(taskId, 1, n, 1_000 + n);
  }
}
