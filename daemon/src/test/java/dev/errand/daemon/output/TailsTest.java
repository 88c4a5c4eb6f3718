package dev.errand.daemon.output;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.journal.StreamKey;
import dev.errand.core.task.HostFact;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.Preview;
import dev.errand.core.task.TaskCommand;
import dev.errand.core.task.TaskId;
import dev.errand.daemon.engine.EngineFixture;
import dev.errand.wire.json.JsonFrameCodec;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class TailsTest {
  private final EngineFixture fixture = new EngineFixture();
  private final WrittenLogs logs = new WrittenLogs();
  private final Tails tails =
      new Tails(fixture.journal, new JsonFrameCodec(), logs, fixture.engine::liveSnapshot);
  private TaskId taskId = fixture.running();
  private long record = 2;

  @Test
  void both_streams_stand_in_the_order_in_which_they_were_written() {
    write(LogStream.STDOUT, "compiling\n");
    write(LogStream.STDERR, "a warning\n");
    write(LogStream.STDOUT, "done\n");

    assertThat(tails.of(taskId, 100)).isEqualTo("compiling\na warning\ndone\n");
    assertThat(tails.of(taskId, LogStream.STDERR, 100)).isEqualTo("a warning\n");
  }

  @Test
  void a_long_run_shows_its_end() {
    for (var i = 0; i < 400; i++) {
      write(LogStream.STDOUT, "line " + i + " " + "x".repeat(90) + "\n");
    }

    assertThat(tails.of(taskId, 200)).hasSize(200).endsWith("line 399 " + "x".repeat(90) + "\n");
    assertThat(tails.of(taskId, LogStream.STDOUT, 200)).isEqualTo(tails.of(taskId, 200));
  }

  @Test
  void what_is_stored_is_shown_before_a_frame_tells_of_it() {
    taskId = fixture.runningWithManyFrames();
    write(LogStream.STDOUT, "early\n");
    var then = fixture.journal.lastSeq(StreamKey.of(taskId));
    write(LogStream.STDOUT, "later\n");
    write(LogStream.STDERR, "oops\n");

    assertThat(fixture.journal.lastSeq(StreamKey.of(taskId))).isEqualTo(then);
    assertThat(tails.of(taskId, 100)).isEqualTo("early\nlater\noops\n");
    assertThat(tails.of(taskId, 8)).isEqualTo("er\noops\n");
    assertThat(tails.at(taskId, then, 100)).isEqualTo(new Tails.Tail("early\n", false));
  }

  @Test
  void a_tail_can_be_had_as_it_was() {
    write(LogStream.STDOUT, "early\n");
    var then = fixture.journal.lastSeq(StreamKey.of(taskId));
    write(LogStream.STDOUT, "late\n");

    assertThat(tails.at(taskId, then, 100)).isEqualTo(new Tails.Tail("early\n", false));
  }

  @Test
  void characters_that_came_in_pieces_are_whole() {
    var bytes = "a€b".getBytes(UTF_8);
    write(LogStream.STDOUT, Arrays.copyOfRange(bytes, 0, 2));
    write(LogStream.STDERR, "!".getBytes(UTF_8));
    write(LogStream.STDOUT, Arrays.copyOfRange(bytes, 2, bytes.length));

    assertThat(tails.of(taskId, 100)).isEqualTo("a!€b");
  }

  @Test
  void a_cut_line_does_not_show_the_rest_of_an_escape_sequence() {
    for (var i = 0; i < 2_000; i++) {
      write(LogStream.STDOUT, "\u001b[38;5;1m\u001b[0m\n");
    }

    assertThat(tails.of(taskId, 100)).isBlank();
  }

  @Test
  void what_the_cap_took_is_left_out() {
    write(LogStream.STDOUT, "head");
    write(LogStream.STDOUT, "gone");
    write(LogStream.STDOUT, "tail");
    logs.gapFrom = 4;
    logs.gapTo = 8;

    assertThat(tails.at(taskId, lastSeq(), 100)).isEqualTo(new Tails.Tail("headtail", true));
  }

  @Test
  void a_tail_says_whether_there_was_more() {
    write(LogStream.STDERR, "first\n");
    write(LogStream.STDOUT, "0123456789\n".repeat(1_000));

    assertThat(tails.at(taskId, lastSeq(), 20_000).cut()).isFalse();
    assertThat(tails.at(taskId, lastSeq(), 11_005).cut()).as("by characters").isTrue();
    assertThat(tails.at(taskId, lastSeq(), 100).cut()).as("by bytes").isTrue();
    write(LogStream.STDOUT, "\u001b[0m".repeat(1_099));
    assertThat(tails.at(taskId, lastSeq(), 100)).isEqualTo(new Tails.Tail("", true));
  }

  @Test
  void a_result_written_byte_by_byte_is_found_whole_where_that_is_wanted() {
    var bytes = 6_000;
    for (var i = 0; i < bytes; i++) {
      write(LogStream.STDOUT, i % 10 == 9 ? "\n" : "x");
    }

    var tail = tails.at(taskId, lastSeq(), 8_192);
    assertThat(tail.text()).hasSizeLessThan(bytes);
    assertThat(tail.cut()).as("by frames").isTrue();
    var whole = tails.wholeAt(taskId, lastSeq(), 8_192);
    assertThat(whole.text()).hasSize(bytes);
    assertThat(whole.cut()).isFalse();
  }

  @Test
  void a_task_without_output_or_none_at_all_has_an_empty_tail() {
    assertThat(tails.of(taskId, 100)).isEmpty();
    assertThat(tails.of(taskId, LogStream.STDOUT, 100)).isEmpty();
    assertThat(tails.of(fixture.ids.nextTask(), 100)).isEmpty();
  }

  private long lastSeq() {
    return fixture.journal.lastSeq(StreamKey.of(taskId));
  }

  private void write(LogStream stream, String text) {
    write(stream, text.getBytes(UTF_8));
  }

  private void write(LogStream stream, byte[] bytes) {
    var offset = logs.append(stream, bytes);
    record++;
    var fact =
        new HostFact.Output(
            1, record, stream, offset, bytes.length, 0, Preview.of(bytes, bytes.length));
    fixture.engine.submit(taskId, new TaskCommand.Report(List.of(fact)), null).orThrow();
  }

  /** The logs of the one task. */
  private static final class WrittenLogs implements LogStore {
    private final Map<LogStream, ByteArrayOutputStream> logs = new EnumMap<>(LogStream.class);
    long gapFrom;
    long gapTo;

    long append(LogStream stream, byte[] bytes) {
      var log = logs.computeIfAbsent(stream, _ -> new ByteArrayOutputStream());
      var offset = log.size();
      log.writeBytes(bytes);
      return offset;
    }

    @Override
    public byte[] read(TaskId taskId, LogStream stream, long offset, int max) {
      if (offset >= gapFrom && offset < gapTo) {
        throw new ErrandException(ErrorCode.OUTPUT_DROPPED, "gone", Map.of("next_offset", gapTo));
      }
      var bytes = bytes(stream);
      var stop = offset < gapFrom ? gapFrom : bytes.length;
      var end = (int) Math.min(stop, Math.min(bytes.length, offset + max));
      return offset >= end ? new byte[0] : Arrays.copyOfRange(bytes, (int) offset, end);
    }

    @Override
    public long total(TaskId taskId, LogStream stream) {
      return bytes(stream).length;
    }

    private byte[] bytes(LogStream stream) {
      var log = logs.get(stream);
      return log == null ? new byte[0] : log.toByteArray();
    }

    @Override
    public List<TaskId> olderThan(long beforeMs) {
      return List.of();
    }

    @Override
    public void delete(TaskId taskId) {}
  }
}
