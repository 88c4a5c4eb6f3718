package dev.errand.host.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.errand.core.task.Exit;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskId;
import dev.errand.testkit.SettableClock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Writing and reading records, and what a reader makes of an end that is torn. */
final class RecordFileTest {
  private static final TaskId TASK = new TaskId("01890a5d-ac96-774b-bcce-b302099a8057");

  private final SettableClock clock = new SettableClock(Instant.EPOCH);
  @TempDir Path folder;

  @Test
  void every_kind_of_record_comes_back_as_it_was() throws Exception {
    var all = everyKind();
    try (var writer = RecordWriter.open(folder, 1 << 20, () -> {}, clock);
        var reader = new RecordReader(folder, clock)) {
      all.forEach(writer::append);

      assertThat(reader.next(100)).isEqualTo(all);
      assertThat(reader.next(100)).isEmpty();
    }
  }

  private static List<HostRecord> everyKind() {
    var extents = List.of(new Extent(0, 5), new Extent(9, 12));
    var end = new StreamEnd(LogStream.STDOUT, 12, 8, 2, "ab", extents);
    var none = new StreamEnd(LogStream.STDERR, 0, 0, 0, null, List.of());
    return List.of(
        new HostRecord.Intent(stamp(1), 1L << 39),
        new HostRecord.Started(stamp(2), 123, 456, "boot", "memory=cgroup2"),
        new HostRecord.NotStarted(stamp(3), "not_found", 2, "no such file"),
        new HostRecord.Forgotten(stamp(4)),
        new HostRecord.Output(stamp(5), LogStream.STDERR, 1L << 40, 3, -1),
        new HostRecord.Gap(stamp(6), LogStream.STDOUT, 5, 9),
        new HostRecord.Stdin(
            stamp(7), "op", 3, true, true, Data.of(new byte[] {0, -1, 7}), false, "cli"),
        new HostRecord.Signalled(stamp(8), "op", "TERM", "me", List.of(3L, 4L)),
        new HostRecord.KillStep(stamp(9), "sweep", "cancel", List.of(1L, 2L)),
        new HostRecord.LimitPassed(stamp(10), "wall", 1000),
        new HostRecord.Exited(
            stamp(11),
            137,
            "KILL",
            "cancel",
            "kill",
            true,
            "killed",
            List.of(7L),
            List.of(8L),
            List.of(end, none),
            new Usage(10, 5, 20, 30, 40),
            List.of(new Exit.Leftover(7, 70, "sleep 600"))),
        new HostRecord.Exited(
            stamp(12),
            0,
            null,
            null,
            null,
            false,
            "none",
            List.of(),
            List.of(),
            List.of(),
            new Usage(0, 0, 0, 0, 0),
            List.of()),
        new HostRecord.Resized(stamp(13), "op", 24, 80, "me", 99),
        new HostRecord.Lost(stamp(14), LogStream.PTY, 7, 12),
        new HostRecord.Signalled(stamp(15), "op", "INT", "me"),
        new HostRecord.Unknown(stamp(16), "from_the_future"));
  }

  private static Stamp stamp(long n) {
    return new Stamp(TASK, 1, n, 1_000_000 + n);
  }

  @Test
  void what_is_only_intended_is_told_with_what_came_of_it() throws Exception {
    var hints = new AtomicInteger();
    try (var writer = RecordWriter.open(folder, 1 << 20, hints::incrementAndGet, clock);
        var reader = new RecordReader(folder, clock)) {
      writer.append(new HostRecord.Intent(stamp(1), 1));
      assertThat(hints).hasValue(0);

      writer.append(new HostRecord.Forgotten(stamp(2)));

      assertThat(hints).hasValue(1);
      assertThat(reader.next(100)).extracting(HostRecord::n).containsExactly(1L, 2L);
    }
  }

  @Test
  void what_is_written_quietly_is_told_by_the_next_hint() throws Exception {
    var hints = new AtomicInteger();
    try (var writer = RecordWriter.open(folder, 1 << 20, hints::incrementAndGet, clock);
        var reader = new RecordReader(folder, clock)) {
      writer.appendQuietly(new HostRecord.Output(stamp(1), LogStream.STDOUT, 0, 10, 0));
      writer.appendQuietly(new HostRecord.Output(stamp(2), LogStream.STDOUT, 10, 10, 0));
      assertThat(hints).hasValue(0);

      writer.hint();

      assertThat(hints).hasValue(1);
      assertThat(reader.next(100)).extracting(HostRecord::n).containsExactly(1L, 2L);
    }
  }

  @Test
  void a_reader_takes_more_than_one_look_holds() throws Exception {
    var longOne = "x".repeat(5_000);
    try (var writer = RecordWriter.open(folder, 1 << 20, () -> {}, clock);
        var reader = new RecordReader(folder, clock)) {
      for (var n = 1L; n <= 90; n++) {
        var message = n % 3 == 0 ? longOne : "short";
        writer.append(new HostRecord.NotStarted(stamp(n), "code", 0, message));
      }

      assertThat(reader.next(100)).hasSize(90).extracting(HostRecord::n).isSorted();
      writer.append(new HostRecord.NotStarted(stamp(91), "code", 0, longOne));
      assertThat(reader.next(100)).extracting(HostRecord::n).containsExactly(91L);
    }
  }

  @Test
  void a_reader_goes_on_over_segments_while_they_are_written() throws Exception {
    var read = new ArrayList<Long>();
    try (var writer = RecordWriter.open(folder, 1_000, () -> {}, clock);
        var reader = new RecordReader(folder, clock)) {
      for (var n = 1L; n <= 200; n++) {
        writer.append(new HostRecord.Intent(stamp(n), n));
        if (n % 7 == 0) {
          reader.next(3).forEach(it -> read.add(it.n()));
        }
      }
      for (var more = reader.next(50); !more.isEmpty(); more = reader.next(50)) {
        more.forEach(it -> read.add(it.n()));
      }

      assertThat(reader.segment()).isEqualTo(writer.segment()).isGreaterThan(5);
    }
    assertThat(read).hasSize(200).isSorted().doesNotHaveDuplicates();
  }

  @Test
  void a_torn_record_at_the_end_is_the_end() throws Exception {
    writeTwo();
    try (var channel = FileChannel.open(segment(1), StandardOpenOption.WRITE)) {
      channel.truncate(channel.size() - 3);
    }

    assertThat(readAll()).extracting(HostRecord::n).containsExactly(1L);
  }

  @Test
  void a_record_with_a_wrong_checksum_at_the_end_is_the_end() throws Exception {
    writeTwo();
    try (var channel = FileChannel.open(segment(1), StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap(new byte[] {'!'}), channel.size() - 3);
    }

    assertThat(readAll()).extracting(HostRecord::n).containsExactly(1L);
  }

  @Test
  void a_torn_record_before_the_last_segment_is_passed_over_and_told() throws Exception {
    writeTwo();
    Files.copy(segment(1), segment(2));
    try (var channel = FileChannel.open(segment(1), StandardOpenOption.WRITE)) {
      channel.truncate(channel.size() - 3);
    }

    try (var reader = new RecordReader(folder, clock)) {
      assertThat(reader.next(100)).extracting(HostRecord::n).containsExactly(1L);
      assertThat(reader.isDamaged()).as("it may be in the making").isFalse();
      reader.finished();
      assertThat(reader.next(100)).extracting(HostRecord::n).containsExactly(1L, 2L);
      assertThat(reader.isDamaged()).isTrue();
    }
  }

  /** Whatever byte it is: of its length, its checksum or what it holds. */
  @Test
  void a_changed_record_is_passed_over_and_those_around_it_are_read() throws Exception {
    writeTwo();
    var two = Files.readAllBytes(segment(1));
    var four = ByteBuffer.allocate(2 * two.length).put(two).put(two).array();
    try (var reader = new RecordReader(folder, clock)) {
      assertThat(reader.next(1)).hasSize(1);
    }
    for (var at = 0; at < two.length; at++) {
      var changed = four.clone();
      changed[at] ^= 1;
      Files.write(segment(1), changed);
      try (var reader = new RecordReader(folder, clock)) {
        reader.finished();
        assertThat(reader.next(100)).as("byte %d", at).hasSize(3);
        assertThat(reader.isDamaged()).isTrue();
      }
    }
  }

  @Test
  void a_record_that_stays_damaged_holds_up_a_living_host_for_a_moment_only() throws Exception {
    writeTwo();
    var bytes = Files.readAllBytes(segment(1));
    bytes[12] ^= 1;
    Files.write(segment(1), bytes);

    try (var reader = new RecordReader(folder, clock)) {
      assertThat(reader.next(100)).as("it may be in the making").isEmpty();
      clock.advance(Duration.ofSeconds(2));

      assertThat(reader.next(100)).extracting(HostRecord::n).containsExactly(2L);
    }
  }

  @Test
  void zeros_behind_the_last_record_of_a_segment_are_its_end() throws Exception {
    writeTwo();
    try (var channel = FileChannel.open(segment(1), StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.allocate(300 << 10), channel.size());
    }
    Files.copy(segment(1), segment(2));

    assertThat(readAll()).extracting(HostRecord::n).containsExactly(1L, 2L, 1L, 2L);
  }

  @Test
  void records_before_a_segment_that_cannot_be_read_are_given_out_first() throws Exception {
    writeTwo();
    Files.createDirectory(segment(2));

    try (var reader = new RecordReader(folder, clock)) {
      assertThat(reader.next(100)).extracting(HostRecord::n).containsExactly(1L, 2L);
      assertThatThrownBy(() -> reader.next(100)).isInstanceOf(IOException.class);
    }
  }

  @Test
  void a_segment_grows_on_while_the_next_one_cannot_be_made() throws Exception {
    var inTheWay = Files.createDirectory(folder.resolve("0000000000000002.rec.new"));
    var longOne = "x".repeat(50_000);
    try (var writer = RecordWriter.open(folder, 1_000, () -> {}, clock)) {
      for (var n = 1L; n <= 10; n++) {
        writer.append(new HostRecord.NotStarted(stamp(n), "code", 0, longOne));
        assertThat(writer.segment()).isEqualTo(1);
      }
      Files.delete(inTheWay);
      for (var n = 11L; n <= 20; n++) {
        writer.append(new HostRecord.NotStarted(stamp(n), "code", 0, longOne));
      }

      assertThat(writer.segment()).isGreaterThan(1);
      assertThat(readAll())
          .extracting(HostRecord::n)
          .containsExactlyElementsOf(LongStream.rangeClosed(1, 20).boxed().toList());
    }
  }

  @Test
  void a_reader_that_races_with_a_rotating_writer_sees_every_record_once() throws Exception {
    var count = 3_000L;
    var read = new ArrayList<Long>();
    try (var writer = RecordWriter.open(folder, 500, () -> {}, clock);
        var reader = new RecordReader(folder, clock)) {
      var writing =
          Thread.ofPlatform()
              .start(() ->
                  LongStream.rangeClosed(1, count)
                      .forEach(n -> writer.append(new HostRecord.Intent(stamp(n), n))));
      while (read.size() < count) {
        var ended = !writing.isAlive();
        var records = reader.next(7);
        records.forEach(it -> read.add(it.n()));
        writer.deleteBefore(reader.segment());
        assertThat(ended && records.isEmpty()).as("records are missing").isFalse();
      }
    }
    assertThat(read).containsExactlyElementsOf(LongStream.rangeClosed(1, count).boxed().toList());
  }

  private Path segment(int number) {
    return folder.resolve("%016d.rec".formatted(number));
  }

  @Test
  void a_folder_without_records_is_empty() throws Exception {
    assertThat(readAll()).isEmpty();
    try (var reader = new RecordReader(folder.resolve("nowhere"), clock)) {
      assertThat(reader.next(1)).isEmpty();
    }
  }

  private void writeTwo() throws IOException {
    try (var writer = RecordWriter.open(folder, 1 << 20, () -> {}, clock)) {
      writer.append(new HostRecord.Intent(stamp(1), 1));
      writer.append(new HostRecord.Intent(stamp(2), 2));
    }
  }

  private List<HostRecord> readAll() throws IOException {
    try (var reader = new RecordReader(folder, clock)) {
      return reader.next(100);
    }
  }
}
