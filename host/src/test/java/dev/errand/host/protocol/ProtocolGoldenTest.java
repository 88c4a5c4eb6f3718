package dev.errand.host.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.errand.core.task.LogStream;
import dev.errand.core.task.ResourceLimits;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TerminalSize;
import dev.errand.host.Golden;
import dev.errand.host.record.AttemptId;
import dev.errand.host.record.Data;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/**
 * Daemon and host of different builds understand each other for ever: what one wrote once is
 * written and read the same, and what is new on one side is passed over or made up for on the
 * other.
 */
class ProtocolGoldenTest {
  private static final TaskId TASK = new TaskId("01890a5d-ac96-774b-bcce-b302099a8057");
  private static final AttemptId ATTEMPT = new AttemptId(TASK, 2);
  private static final long ID = 7;

  @ParameterizedTest
  @MethodSource("requests")
  void a_request_is_written_just_as_recorded(String name, HostRequest request) {
    assertThat(text(RequestCodec.encode(ID, request))).isEqualTo(golden(name));
  }

  @ParameterizedTest
  @MethodSource("requests")
  void a_recorded_request_reads_back_as_it_was(String name, HostRequest request) {
    assertThat(RequestCodec.decode(json(golden(name)))).isEqualTo(request);
  }

  @ParameterizedTest
  @MethodSource("requests")
  void a_host_skips_what_a_later_daemon_asks_besides(String name, HostRequest request) {
    assertThat(RequestCodec.decode(json(Golden.grown(golden(name))))).isEqualTo(request);
  }

  @ParameterizedTest
  @MethodSource("olderRequests")
  void a_request_of_an_older_daemon_reads_with_the_defaults_of_what_it_lacks(
      String name, HostRequest request) {
    assertThat(RequestCodec.decode(json(golden(name)))).isEqualTo(request);
  }

  @ParameterizedTest
  @MethodSource("replies")
  void a_reply_is_written_just_as_recorded(String name, HostReply reply) {
    assertThat(text(HostReplyCodec.encode(ID, new Answer.Done<>(reply)))).isEqualTo(golden(name));
  }

  @ParameterizedTest
  @MethodSource("replies")
  void a_recorded_reply_reads_back_as_it_was(String name, HostReply reply) {
    assertThat(decoded(reply, golden(name))).isEqualTo(reply);
  }

  @ParameterizedTest
  @MethodSource("replies")
  void a_daemon_skips_what_a_later_host_answers_besides(String name, HostReply reply) {
    assertThat(decoded(reply, Golden.grown(golden(name)))).isEqualTo(reply);
  }

  @ParameterizedTest
  @MethodSource("olderReplies")
  void a_reply_of_an_older_host_reads_with_the_defaults_of_what_it_lacks(
      String name, HostReply reply) {
    assertThat(decoded(reply, golden(name))).isEqualTo(reply);
  }

  @Test
  void what_a_host_says_of_processes_by_itself_is_written_and_read_as_recorded() {
    var left =
        List.of(
            new HostReply.Left(4711, 99, "sleep", List.of(TASK), true),
            new HostReply.Left(4712, 100, "nohup", List.of(), false));

    assertThat(text(HostReplyCodec.left(left))).isEqualTo(golden("told-left"));
    assertThat(HostReplyCodec.left(json(golden("told-left")))).isEqualTo(left);
    assertThat(HostReplyCodec.left(json(Golden.grown(golden("told-left"))))).isEqualTo(left);
  }

  @Test
  void a_refusal_is_written_and_read_as_recorded() {
    var refused = new Answer.Refused<HostReply>(RefusalCode.STDIN_FULL, "it does not read", 3, 12);

    assertThat(text(HostReplyCodec.encode(ID, refused))).isEqualTo(golden("refused"));
    assertThat(answer("refused")).isEqualTo(refused);
    assertThat(answer("older-refused"))
        .isEqualTo(new Answer.Refused<>(RefusalCode.STDIN_FULL, "it does not read", 3));
  }

  private static Answer<HostReply.Resized> answer(String name) {
    return HostClient.answer(json(golden(name)), HostReplyCodec::resized);
  }

  @Test
  void each_kind_of_request_and_reply_has_a_golden_text() {
    assertThat(allRequests().values())
        .extracting(Object::getClass)
        .containsAll(List.of(HostRequest.class.getPermittedSubclasses()));
    assertThat(allReplies().values())
        .extracting(Object::getClass)
        .containsAll(List.of(HostReply.class.getPermittedSubclasses()));
  }

  static Stream<Object[]> requests() {
    return cases(allRequests());
  }

  static Stream<Object[]> olderRequests() {
    return cases(olderRequestsByName());
  }

  static Stream<Object[]> replies() {
    return cases(allReplies());
  }

  static Stream<Object[]> olderReplies() {
    return cases(
        Map.of("older-reply-statistics", new HostReply.Statistics(1, 2, 3, 4, 5, 6, 7, List.of())));
  }

  private static Stream<Object[]> cases(Map<String, ?> all) {
    return all.entrySet().stream().map(it -> new Object[] {it.getKey(), it.getValue()});
  }

  private static Map<String, HostRequest> allRequests() {
    var requests = new LinkedHashMap<String, HostRequest>();
    requests.put("hello", new HostRequest.Hello(1, "journal-1", "build-1"));
    requests.put("spawn-line", spawnedLine());
    requests.put("spawn-program", spawnedProgram());
    requests.put("forget", new HostRequest.Forget(ATTEMPT));
    requests.put("cancel", new HostRequest.Cancel(ATTEMPT, null, "enough"));
    requests.put("cancel-grace", new HostRequest.Cancel(ATTEMPT, Duration.ofMillis(250), "enough"));
    requests.put("signal", new HostRequest.Signal(ATTEMPT, "op-1", "HUP", "cli"));
    var typed = Data.of(new byte[] {0, -1, 7});
    requests.put("stdin", new HostRequest.Stdin(ATTEMPT, "op-1", typed, true, true, "cli"));
    requests.put(
        "resize", new HostRequest.Resize(ATTEMPT, "op-1", new TerminalSize(24, 80), "cli"));
    requests.put(
        "sweep",
        new HostRequest.Sweep(TASK, 123, 456, "boot", 9, List.of(new HostRequest.Kept(7, 70))));
    requests.put("consumed", new HostRequest.Consumed(3));
    requests.put("stats", new HostRequest.Stats());
    requests.put("shutdown", new HostRequest.Shutdown(true));
    return requests;
  }

  /** As it stands where nothing is asked for but the line. */
  private static HostRequest.Spawn spawnedLine() {
    return new HostRequest.Spawn(
        ATTEMPT,
        "session-1",
        new HostRequest.Program.Command("echo one | cat"),
        new HostRequest.Surroundings("/tmp", Map.of("LANG", "C"), true),
        HostRequest.Limits.none(),
        HostRequest.Leftover.KILL,
        false,
        Map.of());
  }

  /** With all that can be asked for. */
  private static HostRequest.Spawn spawnedProgram() {
    return new HostRequest.Spawn(
        ATTEMPT,
        "session-1",
        new HostRequest.Program.Argv(List.of("vim", "a b")),
        new HostRequest.Surroundings(
            "/tmp", Map.of("KEY", "value"), true, Set.of("KEY"), new TerminalSize(24, 80), true),
        new HostRequest.Limits(
            4096,
            HostRequest.OnOutputLimit.KILL,
            Duration.ofSeconds(60),
            Duration.ofSeconds(10),
            Duration.ofSeconds(1),
            Duration.ofMillis(500),
            new ResourceLimits(1L << 20, 10L, 60L, 64L, 1L << 30)),
        HostRequest.Leftover.KEEP,
        true,
        Map.of(LogStream.PTY, 99L));
  }

  /** As daemons wrote them before there were the fields of today. */
  private static Map<String, HostRequest> olderRequestsByName() {
    var typed = Data.of(new byte[] {0, -1, 7});
    return Map.of(
        "older-spawn",
        spawnedLine(),
        "older-stdin",
        new HostRequest.Stdin(ATTEMPT, "op-1", typed, true, false, ""),
        "older-sweep",
        new HostRequest.Sweep(TASK, 123, 456, "boot", 9));
  }

  private static Map<String, HostReply> allReplies() {
    var replies = new LinkedHashMap<String, HostReply>();
    replies.put(
        "reply-welcome",
        new HostReply.Welcome(1, "host-1", "build-1", "boot", 4711, List.of("pty"), 3));
    replies.put("reply-spawned", new HostReply.Spawned(true));
    replies.put("reply-cancelling", new HostReply.Cancelling(true));
    replies.put("reply-signalled", new HostReply.Signalled(12));
    replies.put("reply-stdin-written", new HostReply.StdinWritten(12, 3));
    replies.put("reply-resized", new HostReply.Resized(12));
    replies.put("reply-swept", new HostReply.Swept(List.of(1L, 2L), List.of(3L)));
    var escaped = List.of(new HostReply.Escaped(4711, 99, "sleep"));
    replies.put("reply-statistics", new HostReply.Statistics(1, 2, 3, 4, 5, 6, 7, escaped));
    replies.put("reply-ok", new HostReply.Ok());
    return replies;
  }

  /** Read as the daemon reads what it has asked for. */
  private static HostReply decoded(HostReply reply, String text) {
    Function<JsonNode, HostReply> reader =
        switch (reply) {
          case HostReply.Welcome _ -> HostReplyCodec::welcome;
          case HostReply.Spawned _ -> HostReplyCodec::spawned;
          case HostReply.Cancelling _ -> HostReplyCodec::cancelling;
          case HostReply.Signalled _ -> HostReplyCodec::signalled;
          case HostReply.StdinWritten _ -> HostReplyCodec::stdinWritten;
          case HostReply.Resized _ -> HostReplyCodec::resized;
          case HostReply.Swept _ -> HostReplyCodec::swept;
          case HostReply.Statistics _ -> HostReplyCodec::statistics;
          case HostReply.Ok _ -> _ -> new HostReply.Ok();
        };
    var answer = HostClient.answer(json(text), reader);
    assertThat(answer).isInstanceOf(Answer.Done.class);
    return ((Answer.Done<HostReply>) answer).value();
  }

  private static String text(JsonNode json) {
    return new String(ProtocolJson.line(json), StandardCharsets.UTF_8).strip();
  }

  private static JsonNode json(String text) {
    return ProtocolJson.parse(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String golden(String name) {
    return Golden.text(ProtocolGoldenTest.class, name);
  }
}
