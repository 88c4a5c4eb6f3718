package dev.errand.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.task.LogStream;
import dev.errand.wire.client.ClientOptions;
import dev.errand.wire.client.ErrandClient;
import dev.errand.wire.client.EventFrame;
import dev.errand.wire.client.NewTask;
import dev.errand.wire.client.TaskFilter;
import dev.errand.wire.client.TaskPage;
import dev.errand.wire.client.TaskStatus;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.sql.DriverManager;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Homes that released programs left as by a power cut open for ever. Each was recorded once, by
 * {@code e2e/src/test/sh/record-home}, with what its own program showed of it ({@code as-recorded})
 * and what that settled in a copy ({@code as-adopted}).
 */
@Timeout(240)
final class RecordedHomeTest {
  private static final Path HOMES = Checkout.ROOT.resolve("e2e/src/test/resources/homes");
  private static final String AS_RECORDED = "as-recorded";
  private static final String AS_ADOPTED = "as-adopted";

  /** Differs with the moment and the process in which a task came to its end. */
  private static final Set<String> OF_THE_MOMENT =
      Set.of("pid", "started_at_ms", "ended_at_ms", "last_seq", "usage");

  /** What is the same of each notice, however often a copy of the home is adopted. */
  private static final List<String> OF_A_NOTICE =
      List.of("session_id", "task_id", "kind", "event", "status", "exit_code", "acknowledged");

  /** Of a notice, the words that are made when it is delivered. */
  private static final Set<String> WORDING = Set.of("text", "fetch");

  private static final Set<String> OVER = Set.of("exited", "failed", "cancelled");

  /** In the settings of the recorded home, as a secret of some of its tasks. */
  private static final String SECRET = "made-for-the-test";

  static List<Path> homes() throws IOException {
    try (var homes = Files.list(HOMES)) {
      return homes.sorted().toList();
    }
  }

  @ParameterizedTest
  @MethodSource("homes")
  void a_recorded_home_shows_what_its_own_program_showed(Path recorded) throws Exception {
    try (var sandbox = unpacked(recorded)) {
      assertThat(sandbox.errand("up").err()).contains("errand adopt");
      var reader = sandbox.serve(sandbox.builder("serve", "--read-only"), _ -> true);
      try (var client = sandbox.client()) {
        var shown = recorded.resolve(AS_RECORDED);
        assertGrown(nodes(tasks(client)), lines(shown, "tasks"));
        assertGrown(told(sandbox, "session", "ls"), lines(shown, "sessions"));
        assertGrown(told(sandbox, "token", "ls"), lines(shown, "tokens"));
        assertGrown(
            told(sandbox, "webhook", "show", "--session", "hooked"),
            lines(shown, "webhook"),
            Set.of("next_try_at_ms"));
        assertGrown(notices(sandbox, shown), lines(shown, "notices"), WORDING);
        assertThat(frames(client)).containsExactlyElementsOf(recordedFrames(recorded));
        assertScreens(sandbox, shown);
        assertLogsWhole(client);
      }
      sandbox.errand("down", "--all").succeeded();
      assertThat(reader.waitFor(Sandbox.PATIENCE)).isTrue();
    }
  }

  @ParameterizedTest
  @MethodSource("homes")
  void adopted_it_settles_what_was_running_and_keeps_all_else(Path recorded) throws Exception {
    try (var sandbox = unpacked(recorded)) {
      sandbox.errand("adopt").succeeded();
      try (var client = sandbox.client()) {
        await()
            .atMost(Sandbox.PATIENCE)
            .untilAsserted(() -> assertSettled(tasks(client), recorded));

        assertNotices(sandbox, recorded);
        assertThat(frames(client)).containsAll(recordedFrames(recorded));
        assertScreens(sandbox, recorded.resolve(AS_ADOPTED));
        assertLogsWhole(client);
        assertUpload(client);
        assertTokens(sandbox, recorded);
        sandbox.assertNowhere(SECRET);
      }
      sandbox.errand("restart").succeeded();
      try (var client = sandbox.client()) {
        assertSettled(
            tasks(client).stream().filter(it -> !"new".equals(it.title())).toList(), recorded);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("homes")
  void a_recorded_journal_gets_the_form_of_a_new_one(Path recorded) throws Exception {
    try (var old = unpacked(recorded);
        var made = Sandbox.create()) {
      old.errand("adopt").succeeded();
      old.errand("down", "--all").succeeded();
      made.up();
      made.errand("down", "--all").succeeded();

      assertThat(schema(old)).isEqualTo(schema(made));
    }
  }

  /** In a folder of its own, as by somebody who moves a home to another machine. */
  private static Sandbox unpacked(Path recorded) throws IOException, InterruptedException {
    var sandbox = Sandbox.create();
    var archive = recorded.resolve("home.tar.gz").toString();
    var home = sandbox.home().root().toString();
    sandbox
        .finish(new ProcessBuilder("tar", "-xzpf", archive, "--no-same-owner", "-C", home))
        .succeeded();
    return sandbox;
  }

  private static List<TaskStatus> tasks(ErrandClient client) {
    var tasks = new ArrayList<TaskStatus>();
    TaskPage page = client.list(TaskFilter.ALL);
    while (page != null) {
      tasks.addAll(page.tasks());
      page = client.next(page).orElse(null);
    }
    return tasks;
  }

  private static List<JsonNode> nodes(List<TaskStatus> tasks) {
    return tasks.stream().map(it -> it.fields().node()).toList();
  }

  private static List<JsonNode> told(Sandbox sandbox, String... words)
      throws IOException, InterruptedException {
    var command = new ArrayList<>(List.of(words));
    command.add("--json");
    return sandbox.errand(command.toArray(String[]::new)).succeeded().jsonLines();
  }

  /** Of the sessions of which some are recorded, in their order. */
  private static List<JsonNode> notices(Sandbox sandbox, Path shown)
      throws IOException, InterruptedException {
    var notices = new ArrayList<JsonNode>();
    for (var session : texts(lines(shown, "notices"), "session_id").distinct().toList()) {
      notices.addAll(told(sandbox, "inbox", "--all", "--session", session));
    }
    return notices;
  }

  private static List<String> frames(ErrandClient client) {
    var frames = new ArrayList<String>();
    try (var history = client.allHistory(null)) {
      for (EventFrame frame = history.next(); frame != null; frame = history.next()) {
        frames.add(frame.text());
      }
    }
    return frames;
  }

  private static List<String> recordedFrames(Path recorded) throws IOException {
    var file = recorded.resolve(AS_RECORDED).resolve("frames.jsonl.gz");
    try (var in = new GZIPInputStream(Files.newInputStream(file))) {
      return new String(in.readAllBytes(), UTF_8).lines().toList();
    }
  }

  private static void assertScreens(Sandbox sandbox, Path shown)
      throws IOException, InterruptedException {
    for (var name : List.of("terminal", "running-terminal")) {
      assertThat(sandbox.errand("screen", name).succeeded().out())
          .isEqualTo(Files.readString(shown.resolve(name + ".screen.txt")));
    }
  }

  /** Each task that is over keeps to the laws of frames and logs, and its logs are artifacts. */
  private static void assertLogsWhole(ErrandClient client) throws Exception {
    for (var task : tasks(client)) {
      if (!task.isEnded() || isTruncated(task)) {
        continue;
      }
      var recording = Recording.of(client, task.taskId());
      for (var stream : LogStream.values()) {
        var digest = task.artifactId(stream);
        if (digest != null) {
          var bytes = recording.log(stream).bytes();
          assertThat(sha256(bytes)).isEqualTo(digest);
          assertThat(artifact(client, digest)).isEqualTo(bytes);
        }
      }
    }
  }

  private static boolean isTruncated(TaskStatus task) {
    var logs = task.fields().object("artifacts").object("logs").node();
    return logs.properties().stream()
        .anyMatch(it -> it.getValue().path("truncated").asBoolean(false));
  }

  private static byte[] artifact(ErrandClient client, String digest) {
    var bytes = new ByteArrayOutputStream();
    client.artifacts().copy(digest, bytes);
    return bytes.toByteArray();
  }

  private static String sha256(byte[] bytes) throws Exception {
    return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
  }

  private static void assertUpload(ErrandClient client) throws Exception {
    var content = "kept under its digest\n".getBytes(UTF_8);
    assertThat(artifact(client, sha256(content))).isEqualTo(content);
  }

  private static void assertSettled(List<TaskStatus> tasks, Path recorded) {
    var before = byId(lines(recorded.resolve(AS_RECORDED), "tasks"), "task_id");
    var after = lines(recorded.resolve(AS_ADOPTED), "tasks");
    assertThat(ids(nodes(tasks))).isEqualTo(ids(after));
    for (var i = 0; i < after.size(); i++) {
      var expected = after.get(i);
      var was = before.get(expected.path("task_id").stringValue());
      var wasOver = OVER.contains(was.path("status").stringValue());
      assertGrown(tasks.get(i).fields().node(), expected, wasOver ? Set.of() : OF_THE_MOMENT);
    }
  }

  private static List<String> ids(List<JsonNode> tasks) {
    return texts(tasks, "task_id").toList();
  }

  /** Those of before are the same notices, and those of what was settled have come. */
  private static void assertNotices(Sandbox sandbox, Path recorded) throws Exception {
    var expected = lines(recorded.resolve(AS_ADOPTED), "notices");
    var expectedById = byId(expected, "id");
    var shown = notices(sandbox, recorded.resolve(AS_ADOPTED));
    var shownById = byId(shown, "id");
    for (var before : lines(recorded.resolve(AS_RECORDED), "notices")) {
      var id = before.path("id").stringValue();
      assertThat(shownById).containsKey(id);
      assertGrown(shownById.get(id), expectedById.get(id), WORDING);
    }
    assertThat(shown.stream().map(RecordedHomeTest::ofANotice))
        .containsExactlyInAnyOrderElementsOf(
            expected.stream().map(RecordedHomeTest::ofANotice).toList());
  }

  private static List<String> ofANotice(JsonNode notice) {
    return OF_A_NOTICE.stream().map(it -> notice.path(it).toString()).toList();
  }

  /** They are good for what they were, and the one that was revoked is not. */
  private static void assertTokens(Sandbox sandbox, Path recorded) throws Exception {
    var tokens =
        Files.readAllLines(recorded.resolve("tokens.txt")).stream()
            .map(it -> it.split(" ", 2))
            .collect(Collectors.toMap(it -> it[0], it -> it[1]));
    var homes = Files.readString(sandbox.home().token()).strip();
    for (var entry : Map.of("default", homes, "ci", tokens.get("ci")).entrySet()) {
      try (var client = connect(sandbox, entry.getValue())) {
        var task = client.spawn(NewTask.shell("echo one | cat").title("new"));
        assertThat(client.waitEnd(task, Sandbox.PATIENCE).exitCode()).isZero();
        var spawned = Recording.frames(client, task).getFirst().fields();
        assertThat(spawned.text("by")).isEqualTo(entry.getKey());
      }
    }
    try (var reader = connect(sandbox, tokens.get("reader"))) {
      assertThat(tasks(reader)).extracting(TaskStatus::sessionId).containsOnly("main");
    }
    try (var gone = connect(sandbox, tokens.get("gone"))) {
      assertThatThrownBy(() -> tasks(gone))
          .isInstanceOfSatisfying(
              ErrandException.class,
              it -> assertThat(it.code()).isEqualTo(ErrorCode.UNAUTHENTICATED));
    }
  }

  private static ErrandClient connect(Sandbox sandbox, String token) throws IOException {
    var address = "http://" + ErrandClient.daemonOf(sandbox.home()).orElseThrow().http();
    return ErrandClient.connect(URI.create(address), token, ClientOptions.DEFAULT);
  }

  private static List<String> schema(Sandbox sandbox) throws Exception {
    var schema = new ArrayList<String>();
    var query = "SELECT type || ' ' || name || ': ' || coalesce(sql, '') FROM sqlite_master";
    try (var connection = DriverManager.getConnection("jdbc:sqlite:" + sandbox.home().database());
        var statement = connection.createStatement();
        var rows = statement.executeQuery(query + " ORDER BY type, name")) {
      while (rows.next()) {
        schema.add(rows.getString(1));
      }
    }
    return schema;
  }

  private static List<JsonNode> lines(Path folder, String name) {
    return Checkout.read(folder.resolve(name + ".jsonl"))
        .lines()
        .map(it -> JsonMapper.shared().readTree(it))
        .toList();
  }

  private static Stream<String> texts(List<JsonNode> nodes, String field) {
    return nodes.stream().map(it -> it.path(field).stringValue());
  }

  private static Map<String, JsonNode> byId(List<JsonNode> nodes, String field) {
    return nodes.stream()
        .collect(Collectors.toMap(it -> it.path(field).stringValue(), Function.identity()));
  }

  private static void assertGrown(List<JsonNode> actual, List<JsonNode> recorded) {
    assertGrown(actual, recorded, Set.of());
  }

  private static void assertGrown(
      List<JsonNode> actual, List<JsonNode> recorded, Set<String> except) {
    assertThat(actual).hasSameSizeAs(recorded);
    for (var i = 0; i < recorded.size(); i++) {
      assertGrown(actual.get(i), recorded.get(i), except);
    }
  }

  /** What was there stays, with its name and value; it may have got fields since. */
  private static void assertGrown(JsonNode actual, JsonNode recorded, Set<String> except) {
    for (var field : recorded.properties()) {
      var name = field.getKey();
      if (except.contains(name)) {
        continue;
      }
      var value = actual.path(name);
      if (field.getValue().isObject()) {
        assertGrown(value, field.getValue(), Set.of());
      } else {
        assertThat(value.toString())
            .as("%s of %s", name, actual)
            .isEqualTo(field.getValue().toString());
      }
    }
  }
}
