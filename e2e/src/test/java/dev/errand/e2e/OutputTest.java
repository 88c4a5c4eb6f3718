package dev.errand.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskId;
import dev.errand.wire.client.NewTask;
import dev.errand.wire.client.OutputSink;
import dev.errand.wire.json.FrameType;
import java.io.ByteArrayOutputStream;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Every byte that a task wrote comes back as it was, or it is said which ones do not. */
@Timeout(120)
@DaemonCase.Settings("[http]\nlisten = \"127.0.0.1:0\"\n")
final class OutputTest extends DaemonCase {
  private static final int CAP = 64 * 1024;
  private static final int MANY_BYTES = 64 * 1024 * 1024;

  @Test
  void bytes_that_are_no_text_survive_exactly_on_both_streams() throws Exception {
    var bytes = new byte[100_000];
    new Random(5).nextBytes(bytes);
    for (var i = 0; i < 256; i++) {
      bytes[i] = (byte) i;
    }
    var file = Files.write(sandbox.folder().resolve("bytes"), bytes);

    var line = "cat '%s'; cat '%s' >&2".formatted(file, file);
    var recording = Recording.of(client, client.spawn(NewTask.shell(line)));

    assertThat(recording.stdout().bytes()).isEqualTo(bytes);
    assertThat(recording.stderr().bytes()).isEqualTo(bytes);
    assertThat(recording.status().artifactId(LogStream.STDOUT)).isEqualTo(sha256(bytes));
  }

  @Test
  void a_character_that_is_written_in_parts_is_whole_in_the_log_and_in_text() throws Exception {
    var line = "printf 'a\\342'; sleep 0.2; printf '\\202'; sleep 0.2; printf '\\254z'";
    var taskId = client.spawn(NewTask.shell(line));
    var followed = new ByteArrayOutputStream();
    client.follow(taskId, -1, (_, _, bytes) -> followed.writeBytes(bytes));

    assertThat(followed.toString(UTF_8)).isEqualTo("a€z");
    assertThat(Recording.of(client, taskId).stdout().text()).isEqualTo("a€z");
    // No page of text ends inside the character, however small it is asked for.
    assertThat(page(taskId, 0)).contains("\"a\"").doesNotContain("\ufffd");
    assertThat(page(taskId, 1)).contains("\"€\"").doesNotContain("\ufffd");
  }

  private String page(TaskId taskId, int offset) throws Exception {
    var query = "?stream=stdout&max_bytes=2&offset_bytes=" + offset;
    return new String(get("/tasks/" + taskId + "/output" + query, "").body(), UTF_8);
  }

  @Test
  void nothing_is_missing_when_a_task_exits_right_after_64_mib() throws Exception {
    var taskId =
        client.spawn(
            NewTask.shell("yes 0123456789abcdef | head -c %d; exit 9".formatted(MANY_BYTES)));
    var pattern = "0123456789abcdef\n".repeat(MANY_BYTES / 17 + 1).getBytes(UTF_8);
    var expected = Arrays.copyOf(pattern, MANY_BYTES);

    var recording = Recording.of(client, taskId);

    assertThat(recording.status().exitCode()).isEqualTo(9);
    assertThat(recording.status().artifactId(LogStream.STDOUT)).isEqualTo(sha256(expected));
    assertThat(Arrays.equals(recording.stdout().bytes(), expected)).isTrue();
    assertThat(client.artifacts().size(sha256(expected))).isEqualTo(MANY_BYTES);
  }

  @Test
  void a_log_and_its_artifact_give_the_same_bytes_by_range() throws Exception {
    var taskId = client.spawn(NewTask.shell("seq 1 5000"));
    var recording = Recording.of(client, taskId);
    var artifactId = recording.status().artifactId(LogStream.STDOUT);
    var range = "bytes=1000-2999";

    var log = get("/logs/" + taskId + ".stdout", range);
    var artifact = get("/artifacts/" + artifactId, range);

    assertThat(log.statusCode()).isEqualTo(206);
    assertThat(artifact.statusCode()).isEqualTo(206);
    assertThat(log.body())
        .isEqualTo(artifact.body())
        .isEqualTo(Arrays.copyOfRange(recording.stdout().bytes(), 1000, 3000));
    assertThat(log.headers().firstValue("ETag")).isEqualTo(artifact.headers().firstValue("ETag"));
  }

  @Test
  void over_the_cap_the_middle_goes_and_everyone_is_told_which_part() throws Exception {
    var taskId = client.spawn(NewTask.shell("seq 1 100000").outputBytesMax(CAP));
    var expected =
        IntStream.rangeClosed(1, 100_000)
            .mapToObj(it -> it + "\n")
            .collect(Collectors.joining())
            .getBytes(UTF_8);
    var status = client.waitEnd(taskId, Sandbox.PATIENCE);
    assertThat(status.exitCode()).isZero();
    assertThat(status.bytesTotal(LogStream.STDOUT)).isEqualTo(expected.length);

    var gap = gap(taskId);
    assertThat(gap.from()).isEqualTo(CAP / 2);
    assertThat(expected.length - gap.to()).isBetween(CAP / 4, CAP / 2);
    checkFollowed(taskId, expected, gap);
    checkDropped(taskId, gap);
    var kept = new ByteArrayOutputStream();
    kept.write(expected, 0, gap.from());
    kept.write(expected, gap.to(), expected.length - gap.to());
    assertThat(status.artifactId(LogStream.STDOUT)).isEqualTo(sha256(kept.toByteArray()));
    var artifact = get("/artifacts/" + status.artifactId(LogStream.STDOUT), "");
    assertThat(artifact.body()).isEqualTo(kept.toByteArray());
  }

  private record Gap(int from, int to) {}

  /** All gaps together; each begins where the one before ended. */
  private static Gap gap(TaskId taskId) {
    var gaps =
        Recording.frames(client, taskId).stream()
            .filter(it -> it.type().equals(FrameType.OUTPUT_GAP))
            .map(it -> new Gap((int) it.fields().number("from"), (int) it.fields().number("to")))
            .toList();
    assertThat(gaps).isNotEmpty();
    for (var i = 1; i < gaps.size(); i++) {
      assertThat(gaps.get(i).from()).isEqualTo(gaps.get(i - 1).to());
    }
    return new Gap(gaps.getFirst().from(), gaps.getLast().to());
  }

  /** A follower gets head and tail as they were, and is told of just what lies between. */
  private static void checkFollowed(TaskId taskId, byte[] expected, Gap gap) {
    var seen = new ByteArrayOutputStream();
    client.follow(
        taskId,
        -1,
        new OutputSink() {
          @Override
          public void output(LogStream stream, long offset, byte[] bytes) {
            assertThat(offset).isEqualTo(seen.size());
            seen.writeBytes(bytes);
          }

          @Override
          public void gap(LogStream stream, long from, long to) {
            assertThat(from).isEqualTo(seen.size()).isBetween((long) gap.from(), (long) gap.to());
            assertThat(to).isLessThanOrEqualTo(gap.to());
            seen.write(expected, (int) from, (int) (to - from));
          }
        });
    assertThat(Arrays.equals(seen.toByteArray(), expected)).isTrue();
  }

  private static void checkDropped(TaskId taskId, Gap gap) throws Exception {
    var answer =
        get("/tasks/%s/output?stream=stdout&offset_bytes=%d".formatted(taskId, gap.from() + 1), "");
    assertThat(answer.statusCode()).isEqualTo(410);
    assertThat(new String(answer.body(), UTF_8)).contains("\"next_offset\":" + gap.to());
    assertThatThrownBy(() -> client.output(taskId, LogStream.STDOUT, gap.from(), 100))
        .isInstanceOfSatisfying(
            ErrandException.class,
            it -> {
              assertThat(it.code()).isEqualTo(ErrorCode.OUTPUT_DROPPED);
              assertThat(it.facts()).containsEntry("next_offset", (long) gap.to());
            });
    assertThat(client.output(taskId, LogStream.STDOUT, gap.to(), 100).bytes()).hasSize(100);
  }

  @Test
  void a_task_that_asked_for_it_is_killed_at_the_cap() {
    var task = NewTask.shell("yes").outputBytesMax(CAP).onOutputLimit("kill");

    var taskId = client.spawn(task);
    var status = client.waitEnd(taskId, Sandbox.PATIENCE);

    assertThat(status.status()).isEqualTo("failed");
    assertThat(status.error()).isEqualTo("output_limit");
    assertThat(status.fields().text("limit")).isEqualTo("output");
    assertThat(status.bytesTotal(LogStream.STDOUT)).isGreaterThanOrEqualTo(CAP);
    assertThat(Recording.frames(client, taskId))
        .filteredOn(it -> it.type().equals(FrameType.LIMIT_PASSED))
        .singleElement()
        .satisfies(it -> assertThat(it.fields().number("value")).isEqualTo(CAP));
  }

  private static HttpResponse<byte[]> get(String target, String range) throws Exception {
    return sandbox.get(target, range);
  }

  private static String sha256(byte[] bytes) throws Exception {
    return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
  }
}
