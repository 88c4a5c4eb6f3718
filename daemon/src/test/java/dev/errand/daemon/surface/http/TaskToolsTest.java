package dev.errand.daemon.surface.http;

import static dev.errand.daemon.surface.http.Surface.code;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.errand.core.policy.Profile;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskState;
import dev.errand.daemon.access.Tokens;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The tools on single tasks, as an agent calls them. */
final class TaskToolsTest {
  @TempDir Path folder;
  private Surface surface;
  private ToolCalls tools;

  @BeforeEach
  void start() throws IOException {
    surface = Surface.start(folder);
    tools = new ToolCalls(surface);
  }

  @AfterEach
  void stop() {
    surface.close();
  }

  private TaskId spawn(String more) throws IOException {
    var answer = tools.structured("task_spawn", "{'command':'make'" + more + "}");
    return new TaskId(answer.path("task_id").stringValue(""));
  }

  private TaskId running(String more) throws IOException {
    var taskId = spawn(more);
    surface.hosts.start(taskId);
    return taskId;
  }

  /** The beginning of an id that texts show. */
  private static String brief(TaskId taskId) {
    return taskId.value().substring(0, 18);
  }

  private static String text(JsonNode node, String name) {
    return node.path(name).stringValue("");
  }

  @Test
  void task_spawn_starts_a_command_and_answers_at_once() throws IOException {
    var answer = tools.structured("task_spawn", "{'command':'make','task':'build it','label':'b'}");

    assertThat(text(answer, "status")).isEqualTo("spawned");
    assertThat(text(answer, "label")).isEqualTo("b");
    var taskId = new TaskId(text(answer, "task_id"));
    var known = ((TaskState.Present) surface.engine.snapshot(taskId).state()).facts();
    assertThat(known.spec().origin().title()).isEqualTo("build it");
    assertThat(known.spec().plan().quota()).isTrue();
  }

  @Test
  void what_waits_says_what_for_in_the_digest_and_to_whoever_asks() throws IOException {
    var first = running(",'lane':'own','label':'first'");
    var second = spawn(",'lane':'own'");
    var waits = "waits in lane \"own\", place 1, behind " + first.brief() + " (\"first\")";

    var digest = tools.answer("task_digest", "{}");

    assertThat(text(digest, "text")).contains("make; " + waits + "\n");
    var waiting = digest.path("structured").path("waiting").path(0);
    assertThat(text(waiting, "task_id")).isEqualTo(second.value());
    assertThat(text(waiting.path("queue"), "reason")).isEqualTo("lane");
    assertThat(text(waiting.path("queue"), "behind")).isEqualTo(first.value());
    assertThat(tools.text("task_status", "{'task_id':'" + second + "'}")).contains(waits);
  }

  @Test
  void a_spawn_and_a_kill_that_are_repeated_with_their_keys_are_answered_alike()
      throws IOException {
    var body = "{\"command\":\"make\"}";
    var first = surface.keyed("POST", "/tools/task_spawn", "k", body);
    assertThat(Surface.json(surface.keyed("POST", "/tools/task_spawn", "k", body)))
        .isEqualTo(Surface.json(first));
    var taskId = new TaskId(text(Surface.json(first).path("structured"), "task_id"));
    surface.hosts.start(taskId);
    surface.hosts.exit(taskId, 0, null);

    var kill = "{\"task_id\":\"" + taskId + "\"}";
    var killed = surface.keyed("POST", "/tools/task_kill", "k2", kill);
    assertThat(Surface.json(surface.keyed("POST", "/tools/task_kill", "k2", kill)))
        .isEqualTo(Surface.json(killed));
  }

  @Test
  void task_spawn_without_a_command_says_that_no_agent_is_configured() throws IOException {
    assertThat(tools.refusal("task_spawn", "{'task':'research it'}"))
        .contains("no agent is configured")
        .contains("command");
    assertThat(tools.call("task_spawn", "{'command':'make','model':'m'}").status()).isEqualTo(400);
  }

  @Test
  void task_status_tells_of_one_task() throws IOException {
    var taskId = running(",'label':'b'");
    surface.hosts.write(taskId, LogStream.STDOUT, "one\n\033[32mtwo\033[0m\n");

    for (var by : new String[] {"{'task_id':'" + taskId + "'}", "{'label':'b'}"}) {
      var tasks = tools.structured("task_status", by).path("tasks");
      assertThat(tasks).hasSize(1);
      var task = tasks.path(0);
      assertThat(text(task, "task_id")).isEqualTo(taskId.value());
      assertThat(text(task, "status")).isEqualTo("running");
      assertThat(text(task, "started_at")).isEqualTo("1970-01-01T00:00:01Z");
      assertThat(task.path("elapsed_secs").longValue()).isPositive();
      assertThat(text(task, "progress")).isEqualTo("two (stdout 17 bytes, stderr 0 bytes)");
      assertThat(Instant.parse(text(task, "lastUpdate"))).isBefore(Instant.now().plusSeconds(1));
    }
  }

  @Test
  void exactly_one_of_task_id_and_label_selects_unless_they_agree() throws IOException {
    var first = running(",'label':'a'");
    running(",'label':'b'");

    assertThat(tools.call("task_join", "{}").status()).isEqualTo(400);
    var both = "{'task_id':'%s','label':'%s','timeout_ms':0}";
    assertThat(tools.call("task_join", both.formatted(first, "a")).status()).isEqualTo(200);
    assertThat(tools.refusal("task_join", both.formatted(first, "b"))).contains("two tasks");
  }

  @Test
  void task_list_is_newest_first_ten_at_most_and_active_means_queued_or_running()
      throws IOException {
    var ended = running("");
    surface.hosts.exit(ended, 0, null);
    for (var i = 0; i < 11; i++) {
      spawn("");
    }

    var all = tools.structured("task_list", "{}").path("tasks");
    assertThat(all).hasSize(10);
    assertThat(text(all.path(0), "task_id")).isGreaterThan(text(all.path(9), "task_id"));
    assertThat(tools.structured("task_list", "{'limit':100}").path("tasks")).hasSize(12);
    var active = tools.structured("task_list", "{'limit':100,'active_only':true}").path("tasks");
    assertThat(active).hasSize(11);
    assertThat(active).allMatch(it -> text(it, "status").equals("spawned"));
    assertThat(tools.call("task_list", "{'limit':101}").status()).isEqualTo(400);
  }

  @Test
  void task_list_of_one_task_refuses_what_selects_many() throws IOException {
    var taskId = running("");

    for (var more : new String[] {"'active_only':true", "'batch_id':'b'"}) {
      assertThat(tools.refusal("task_list", "{'task_id':'" + taskId + "'," + more + "}"))
          .contains("has no meaning with task_id or label");
    }
  }

  @Test
  void the_answer_to_a_wait_for_an_end_reads_the_result() throws IOException {
    for (var tool : new String[] {"task_join", "task_wait", "background_output", "task_kill"}) {
      var taskId = running("");
      var block = tool.equals("background_output") ? ",'block':true" : "";
      var waiting = tools.begin(tool, "{'task_id':'" + taskId + "'" + block + "}");
      surface.hosts.exit(taskId, 0, null);

      assertThat(waiting.join().has("structured")).as(tool).isTrue();
      await().untilAsserted(() -> assertThat(surface.reads()).as(tool).contains(taskId + " cli"));
    }
  }

  @Test
  void task_join_waits_and_returns_the_end_of_the_output_with_the_exit_code() throws IOException {
    var taskId = running("");
    var joined = tools.begin("task_join", "{'task_id':'" + taskId + "'}");
    surface.hosts.write(taskId, LogStream.STDOUT, "x".repeat(5_000) + "\nlast\n");
    surface.hosts.exit(taskId, 3, null);

    var answer = joined.join().path("structured");
    assertThat(text(answer, "status")).isEqualTo("failed");
    assertThat(answer.path("exit_code").longValue()).isEqualTo(3);
    assertThat(answer.path("timed_out").booleanValue()).isFalse();
    assertThat(text(answer, "result")).endsWith("x\nlast\n(exit code 3)").hasSize(5_019);
    var log = answer.path("artifacts").path(0);
    assertThat(text(log, "type")).isEqualTo("log");
    assertThat(text(log, "log_id")).isEqualTo(taskId + ".stdout");
    assertThat(text(log, "artifact_id")).hasSize(64);
    assertThat(answer.path("usage").has("cpu_ms")).isTrue();
    await().untilAsserted(() -> assertThat(surface.reads()).containsExactly(taskId + " cli"));
  }

  @Test
  void task_join_that_runs_out_answers_how_the_task_stands() throws IOException {
    var taskId = running("");

    var answer = tools.structured("task_join", "{'task_id':'" + taskId + "','timeout_ms':1}");

    assertThat(text(answer, "status")).isEqualTo("running");
    assertThat(answer.path("timed_out").booleanValue()).isTrue();
    assertThat(surface.reads()).isEmpty();
  }

  @Test
  void task_kill_answers_when_the_task_is_dead() throws IOException {
    var taskId = running("");
    surface.hosts.write(taskId, LogStream.STDOUT, "half\n");
    var killed = tools.begin("task_kill", "{'task_id':'" + taskId + "','reason':'enough'}");
    await().until(() -> surface.hosts.applied().contains("cancel enough"));
    assertThat(killed).isNotDone();

    surface.hosts.exit(taskId, 143, "cancel");

    var answer = killed.join().path("structured");
    assertThat(text(answer, "status")).isEqualTo("killed");
    assertThat(text(answer, "partial_result")).isEqualTo("half\n(cancelled by cli: enough)");
    assertThat(answer.path("timed_out").booleanValue()).isFalse();
  }

  @Test
  void task_kill_of_what_is_over_changes_nothing() throws IOException {
    var taskId = running("");
    surface.hosts.exit(taskId, 0, null);

    var answer = tools.structured("task_kill", "{'task_id':'" + taskId + "'}");

    assertThat(text(answer, "status")).isEqualTo("completed");
    assertThat(surface.hosts.applied()).isEmpty();
  }

  @Test
  void a_task_of_another_session_looks_unknown_to_every_tool() throws IOException {
    var taskId = running(",'label':'mine'");
    var wanted = new Tokens.NewToken("theirs", Profile.FULL_AUTO, new SessionId("theirs"));
    var token = surface.tokens.mint(new Tokens.Manager.Owner("cli"), wanted).token();
    var headers = Map.of("Authorization", "Bearer " + token);

    for (var tool :
        new String[] {
          "task_status",
          "task_join",
          "task_kill",
          "task_screen",
          "task_wait",
          "background_output",
          "background_cancel"
        }) {
      var body = "{\"task_id\":\"" + taskId + "\"}";
      var answer = surface.tcpCall("POST", "/tools/" + tool, headers, body);
      assertThat(code(answer)).as(tool).isEqualTo("TASK_NOT_FOUND");
    }
    for (var tool : new String[] {"task_list", "background_list", "task_digest"}) {
      var answer = surface.tcpCall("POST", "/tools/" + tool, headers, "{}");
      assertThat(new String(answer.body(), java.nio.charset.StandardCharsets.UTF_8))
          .doesNotContain(taskId.value());
    }
    assertThat(surface.hosts.applied()).isEmpty();
  }

  @Test
  void task_wait_answers_when_the_text_is_there() throws IOException {
    var taskId = running("");
    var waiting =
        tools.begin("task_wait", "{'task_id':'" + taskId + "','until':{'text':'ready \\\\d+'}}");
    surface.hosts.write(taskId, LogStream.STDOUT, "ready 8080\nmore\n");

    var answer = waiting.join().path("structured");
    assertThat(text(answer.path("held"), "snippet")).isEqualTo("ready 8080");
    assertThat(answer.path("timed_out").booleanValue()).isFalse();
    assertThat(text(answer, "status")).isEqualTo("running");
  }

  @Test
  void task_wait_waits_for_any_or_for_all_of_a_batch() throws IOException {
    var first = running(",'batch_id':'b1'");
    var second = running(",'batch_id':'b1'");
    running("");
    var any = tools.begin("task_wait", "{'batch_id':'b1','mode':'any'}");
    var all = tools.begin("task_wait", "{'batch_id':'b1'}");

    surface.hosts.exit(second, 0, null);
    var one = any.join().path("structured");
    assertThat(one.path("timed_out").booleanValue(true)).isFalse();
    assertThat(text(one, "status")).isEqualTo("running");
    assertThat(one.path("counts").toString()).isEqualTo("{\"completed\":1,\"running\":1}");
    assertThat(all).isNotDone();
    surface.hosts.exit(first, 1, null);
    var both = all.join().path("structured");
    assertThat(text(both, "status")).isEqualTo("error");
    assertThat(both.path("total").longValue()).isEqualTo(2);
    assertThat(both.path("tasks")).hasSize(2);
    assertThat(tools.call("task_wait", "{'batch_id':'nothing'}").status()).isEqualTo(404);
  }

  @Test
  void task_search_output_finds_lines_with_those_around_them() throws IOException {
    var taskId = running("");
    surface.hosts.write(taskId, LogStream.STDOUT, "a\n\033[31mFAIL\033[0m x\nb\n");

    var arguments = "{'task_id':'" + taskId + "','pattern':'FAIL','context':1}";

    assertThat(tools.text("task_search_output", arguments))
        .isEqualTo("1- a\n2: FAIL x\n3- b\n[1 matches in the output of " + brief(taskId) + "]");
    var match = tools.structured("task_search_output", arguments).path("matches").path(0);
    assertThat(match.path("line").longValue()).isEqualTo(2);
    assertThat(match.path("offset_bytes").longValue()).isEqualTo(2);
    var bad = "{'task_id':'" + taskId + "','pattern':'('}";
    assertThat(tools.call("task_search_output", bad).status()).isEqualTo(400);
  }

  @Test
  void a_line_around_two_matches_is_shown_once() throws IOException {
    var taskId = running("");
    surface.hosts.write(taskId, LogStream.STDOUT, "a\nx1\nb\nx2\nx3\nc\nd\n");

    var text =
        tools.text("task_search_output", "{'task_id':'" + taskId + "','pattern':'x','context':2}");

    assertThat(text).startsWith("1- a\n2: x1\n3- b\n4: x2\n5: x3\n6- c\n7- d\n[3 matches");
  }

  @Test
  void an_end_before_readiness_is_told() throws IOException {
    var missed = running(",'ready_when':{'regex':'listening'}");
    surface.hosts.exit(missed, 1, null);
    var plain = running("");
    surface.hosts.exit(plain, 1, null);

    for (var tool : new String[] {"task_wait", "task_join", "task_status", "background_output"}) {
      assertThat(tools.text(tool, "{'task_id':'" + missed + "'}"))
          .as(tool)
          .contains("never became ready");
      assertThat(tools.text(tool, "{'task_id':'" + plain + "'}")).as(tool).doesNotContain("ready");
    }
    var notices = Surface.json(surface.get("/sessions/cli/inbox?all=true"));
    assertThat(text(notices.path(0), "text")).contains("it never became ready");
  }

  @Test
  void task_screen_shows_a_terminal() throws IOException {
    var taskId = surface.terminal(3, 20);
    surface.hosts.write(taskId, LogStream.PTY, "\033[2J\033[Hhello\033[2;3Hthere");

    var arguments = "{'task_id':'" + taskId + "','session_id':'s'}";

    assertThat(tools.text("task_screen", arguments)).isEqualTo("hello\n  there\n\n");
    assertThat(tools.structured("task_screen", arguments).path("rows").longValue()).isEqualTo(3);
  }

  @Test
  void task_digest_says_what_runs_what_waits_and_what_has_ended() throws IOException {
    assertThat(tools.text("task_digest", "{}")).isEqualTo("There are no tasks in session cli.");
    var running = running(",'label':'server'");
    spawn(",'task':'later'");
    var ended = running("");
    surface.hosts.exit(ended, 1, null);

    var text = tools.text("task_digest", "{}");

    assertThat(text)
        .contains("Running (1):\n- " + brief(running) + " \"server\"")
        .contains("Waiting (1):")
        .contains("later")
        .contains("Ended lately (1):\n- " + brief(ended) + " failed")
        .contains("1 of the ended")
        .contains("1 notices in the inbox");
  }

  @Test
  void hostile_output_never_reaches_a_text_uncleaned() throws IOException {
    var taskId = running(",'task':'\\u001b]0;title\\u0007 x'");
    surface.hosts.write(
        taskId, LogStream.STDOUT, "\033]52;c;aGk=\007\033[2J\u009b31m\u202egood\b\0\n".repeat(3));
    surface.hosts.write(taskId, LogStream.STDOUT, "z".repeat(3_000_000));
    surface.hosts.exit(taskId, 0, null);
    var id = "{'task_id':'" + taskId + "'}";

    for (var tool : new String[] {"task_status", "task_join", "background_output"}) {
      var answer = tools.answer(tool, id);
      assertThat(answer.toString().length()).as(tool).isLessThan(33_000);
      assertThat(answer.path("text").stringValue(""))
          .as(tool)
          .doesNotContainPattern("[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\u202e]");
    }
    assertThat(tools.text("task_digest", "{}")).doesNotContain("\u001b");
    assertThat(tools.text("background_list", "{}")).doesNotContain("\u001b");
  }
}
