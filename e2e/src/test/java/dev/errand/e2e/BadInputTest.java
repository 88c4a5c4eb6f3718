package dev.errand.e2e;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.errand.wire.client.ErrandClient;
import dev.errand.wire.client.NewTask;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Whatever is sent, the answer is a code and a sentence, and the daemon goes on. */
@Timeout(120)
final class BadInputTest {
  private static final int MIB = 1024 * 1024;

  private static Sandbox sandbox;
  private static ErrandClient client;
  private static HttpClient http;

  @BeforeAll
  static void start_a_daemon() throws Exception {
    sandbox = Sandbox.create("[http]\nlisten = \"127.0.0.1:0\"\n");
    sandbox.serve();
    client = sandbox.client();
    http = HttpClient.newHttpClient();
  }

  /** After all of it the daemon must still do its work. */
  @AfterAll
  static void run_a_task_and_end() throws Exception {
    var taskId = client.spawn(NewTask.shell("exit 4"));
    assertThat(client.waitEnd(taskId, Sandbox.PATIENCE).exitCode()).isEqualTo(4);
    http.close();
    client.close();
    sandbox.close();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("bodies")
  void a_body_that_cannot_be_meant_is_refused_with_what_to_do(
      String name, String body, Charset charset, String code, String part) throws Exception {
    var answer = post("/tasks", body.getBytes(charset));

    checkRefused(answer, code.equals("TOO_LARGE") ? 413 : 400, code, part);
  }

  private static Stream<Arguments> bodies() {
    var cases = Stream.<Arguments>builder();
    add(cases, "no body", "", "empty", "");
    add(cases, "no object", "[1, 2]", "JSON object", "");
    add(cases, "half of it", "{\"tool\":\"bash\",\"args\":{", "not JSON", "");
    add(cases, "two values", "{} {}", "not JSON", "");
    addArgs(cases, "empty command", "\"command\":\"  \"", "args.command");
    addArgs(cases, "nothing to run", "", "nothing says what to run");
    addArgs(cases, "both ways to run", "\"command\":\"a\",\"argv\":[\"a\"]", "both given");
    addArgs(cases, "empty argv", "\"argv\":[]", "a program");
    addArgs(cases, "no program in argv", "\"argv\":[\"\"]", "a program");
    addArgs(cases, "NUL in the command", "\"command\":\"a\\u0000b\"", "args.command");
    addArgs(cases, "NUL in an argument", "\"argv\":[\"a\",\"b\\u0000\"]", "args.argv");
    addArgs(cases, "long argument", "\"argv\":[\"a\",\"" + "x".repeat(MIB / 2) + "\"]", "a file");
    addArgs(cases, "many arguments", "\"argv\":[\"a\"" + ",\"b\"".repeat(200_000) + "]", "a file");
    addArgs(cases, "no such folder", "\"command\":\"a\",\"cwd\":\"/no/such\"", "/no/such");
    addArgs(cases, "folder is a file", "\"command\":\"a\",\"cwd\":\"/etc/passwd\"", "not a folder");
    addArgs(cases, "NUL in the folder", "\"command\":\"a\",\"cwd\":\"/\\u0000\"", "args.cwd");
    addArgs(cases, "variable with =", "\"command\":\"a\",\"env\":{\"A=B\":\"1\"}", "no '='");
    addArgs(cases, "variable without name", "\"command\":\"a\",\"env\":{\"\":\"1\"}", "not empty");
    addArgs(cases, "NUL in a variable", "\"command\":\"a\",\"env\":{\"A\":\"\\u0000\"}", "env");
    addArgs(cases, "NUL in its name", "\"command\":\"a\",\"env\":{\"A\\u0000\":\"1\"}", "env");
    addArgs(cases, "lone surrogate", "\"command\":\"echo \\ud800\"", "args.command");
    addArgs(cases, "same field twice", "\"command\":\"a\",\"command\":\"b\"", "command");
    addArgs(cases, "unknown field", "\"comand\":\"a\"", "known are command");
    add(cases, "unknown tool", "{\"tool\":\"rocket\",\"args\":{}}", "one of bash", "");
    cases.add(
        arguments("not UTF-8", "{\"tool\":\"\u00ff\"}", ISO_8859_1, "INVALID_REQUEST", "UTF-8"));
    add(cases, "400 digits", "{\"timeout_secs\":" + "9".repeat(400) + "}", "maximum", "");
    add(cases, "100,000 arrays deep", "[".repeat(100_000), "nested", "");
    add(cases, "100,000 objects deep", "{\"a\":".repeat(100_000), "nested", "");
    add(cases, "10 MB", "{\"tool\":\"" + "x".repeat(10 * MIB) + "\"}", "bytes", "TOO_LARGE");
    typed(cases);
    return cases.build();
  }

  /** Each field with values of the types that it does not have. */
  private static void typed(Stream.Builder<Arguments> cases) {
    var number = List.of("\"1\"", "true", "[1]", "{}", "-1", "1e400", "9".repeat(40));
    var text = List.of("1", "true", "[\"a\"]", "{}");
    for (var field : List.of("timeout_secs", "idle_timeout_secs", "grace_secs", "drain_secs")) {
      number.forEach(it -> addField(cases, field, it));
    }
    number.forEach(it -> addField(cases, "artifact_max_bytes", it));
    for (var field :
        List.of("tool", "title", "label", "session_id", "origin_session_id", "on_restart")) {
      text.forEach(it -> addField(cases, field, it));
    }
    for (var field : List.of("leftover", "on_output_limit", "execution_mode")) {
      text.forEach(it -> addField(cases, field, it));
    }
    List.of("1", "\"true\"", "[]").forEach(it -> addField(cases, "stdin", it));
    List.of("1", "\"a\"", "[]").forEach(it -> addField(cases, "args", it));
    text.forEach(it -> addArgs(cases, "command " + it, "\"command\":" + it, "args.command"));
    text.forEach(it -> addArgs(cases, "cwd " + it, "\"command\":\"a\",\"cwd\":" + it, "args.cwd"));
    List.of("1", "\"a\"", "{}", "[1]", "[null]", "[[]]")
        .forEach(it -> addArgs(cases, "argv " + it, "\"argv\":" + it, "args.argv"));
    List.of("1", "\"a\"", "[]", "{\"A\":1}", "{\"A\":null}")
        .forEach(it -> addArgs(cases, "env " + it, "\"command\":\"a\",\"env\":" + it, "args.env"));
  }

  private static void addField(Stream.Builder<Arguments> cases, String field, String value) {
    var tool = field.equals("tool") ? "" : "\"tool\":\"bash\",";
    var args = field.equals("args") ? "" : "\"args\":{\"command\":\"a\"},";
    var shown = value.length() > 20 ? value.length() + " digits" : value;
    add(
        cases,
        field + " " + shown,
        "{" + tool + args + quoted(field) + ":" + value + "}",
        field,
        "");
  }

  private static String quoted(String text) {
    return '"' + text + '"';
  }

  private static void addArgs(
      Stream.Builder<Arguments> cases, String name, String args, String part) {
    add(cases, name, "{\"tool\":\"bash\",\"args\":{" + args + "}}", part, "");
  }

  private static void add(
      Stream.Builder<Arguments> cases, String name, String body, String part, String code) {
    cases.add(arguments(name, body, UTF_8, code.isEmpty() ? "INVALID_REQUEST" : code, part));
  }

  @ParameterizedTest
  @CsvSource({
    "GET, /tasks/no-such-task, 404, TASK_NOT_FOUND",
    "GET, /tasks/00000000-0000-7000-8000-000000000000, 404, TASK_NOT_FOUND",
    "GET, /tasks/..%2F..%2Fetc%2Fpasswd, 4xx, ''",
    "GET, /tasks/%2e%2e/token, 4xx, ''",
    "GET, /tasks/../../etc/passwd, 4xx, ''",
    "GET, /tasks/%00, 4xx, ''",
    "GET, /tasks/a%0d%0ab, 4xx, ''",
    "GET, /logs/../../token, 4xx, ''",
    "GET, /logs/..%2f..%2ftoken, 4xx, ''",
    "GET, /logs/00000000-0000-7000-8000-000000000000.stdout, 404, ''",
    "GET, /logs/00000000-0000-7000-8000-000000000000.nothing, 404, ''",
    "GET, /artifacts/..%2f..%2ftoken, 4xx, ''",
    "GET, /artifacts/../token, 4xx, ''",
    "GET, /artifacts/zz, 404, ARTIFACT_NOT_FOUND",
    "POST, /tasks/00000000-0000-7000-8000-000000000000/cancel, 404, TASK_NOT_FOUND",
    "POST, /tasks/00000000-0000-7000-8000-000000000000/wait, 404, TASK_NOT_FOUND",
    "DELETE, /tasks/00000000-0000-7000-8000-000000000000, 404, TASK_NOT_FOUND",
    "GET, /tasks?limit=99999999999999999999, 400, INVALID_REQUEST",
    "GET, /tasks?limit=-1, 400, INVALID_REQUEST",
    "GET, /tasks?status=flying, 400, INVALID_REQUEST",
    "GET, /tasks?lable=x, 400, INVALID_REQUEST",
    "GET, /events?after=nonsense, 400, INVALID_REQUEST"
  })
  void an_address_that_names_nothing_is_refused(
      String method, String target, String status, String code) throws Exception {
    var answer = send(method, target, new byte[0]);

    assertThat(answer.statusCode()).isBetween(400, 499);
    if (!status.equals("4xx")) {
      checkRefused(answer, Integer.parseInt(status), code, "");
    }
    assertThat(new String(answer.body(), UTF_8))
        .doesNotContain("root:")
        .doesNotContain(Files.readString(sandbox.home().token()).strip());
  }

  @Test
  void a_program_that_cannot_run_is_a_task_that_failed_and_says_why() throws Exception {
    var folder = Files.createDirectory(sandbox.folder().resolve("a-folder"));
    var file = Files.writeString(sandbox.folder().resolve("a-text"), "no program");

    checkNotStarted("/no/such/program", "not_found", "/no/such/program");
    checkNotStarted(folder.toString(), "not_executable", "a-folder");
    checkNotStarted(file.toString(), "not_executable", "a-text");
  }

  private static void checkNotStarted(String program, String reason, String part) {
    var taskId = client.spawn(NewTask.program(List.of(program)));
    var status = client.waitEnd(taskId, Sandbox.PATIENCE);
    assertThat(status.status()).isEqualTo("failed");
    assertThat(status.reason()).isEqualTo(reason);
    assertThat(status.message()).contains(part);
    assertThat(status.exitCode()).isNull();
  }

  @ParameterizedTest
  @CsvSource({
    "spawn --, 2, PROGRAM",
    "spawn --timeout soon -- true, 2, soon",
    "spawn --cwd /no/such -- true, 3, /no/such",
    "spawn --env A -- true, 2, A",
    "status no-such-task, 5, no-such-task",
    "status ../../etc/passwd, 5, ''",
    "logs no-such-task, 5, no-such-task",
    "cancel no-such-task, 5, no-such-task",
    "fly, 2, fly"
  })
  void the_command_line_says_it_in_one_line_and_by_its_exit_code(
      String words, int code, String part) throws Exception {
    var result = sandbox.errand(words.split(" "));

    assertThat(result.err()).contains(part).doesNotContain("Exception", "\tat ");
    assertThat(result.code()).as(result.err()).isEqualTo(code);
    assertThat(result.bytes()).isEmpty();
  }

  private static void checkRefused(
      HttpResponse<byte[]> answer, int status, String code, String part) {
    var text = new String(answer.body(), UTF_8);
    assertThat(answer.statusCode()).as(text).isEqualTo(status);
    assertThat(answer.headers().firstValue("Content-Type")).contains("application/problem+json");
    JsonNode problem = JsonMapper.shared().readTree(text);
    if (!code.isEmpty()) {
      assertThat(problem.path("code").stringValue("")).isEqualTo(code);
    }
    assertThat(problem.path("detail").stringValue("")).contains(part).hasSizeLessThan(1_000);
  }

  private static HttpResponse<byte[]> post(String target, byte[] body)
      throws IOException, InterruptedException {
    return send("POST", target, body);
  }

  private static HttpResponse<byte[]> send(String method, String target, byte[] body)
      throws IOException, InterruptedException {
    var address = ErrandClient.daemonOf(sandbox.home()).orElseThrow().http();
    var request =
        HttpRequest.newBuilder(URI.create("http://" + address + target))
            .header("Authorization", "Bearer " + token(sandbox.home().token()))
            .method(method, HttpRequest.BodyPublishers.ofByteArray(body));
    return http.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
  }

  private static String token(Path file) throws IOException {
    return Files.readAllLines(file).stream().collect(Collectors.joining());
  }
}
