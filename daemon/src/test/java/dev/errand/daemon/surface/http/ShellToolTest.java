package dev.errand.daemon.surface.http;

import static dev.errand.daemon.surface.http.Surface.code;
import static dev.errand.daemon.surface.http.Surface.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.errand.core.policy.Profile;
import dev.errand.core.task.Command;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskCommand;
import dev.errand.core.task.TaskEvent;
import dev.errand.core.task.TaskId;
import dev.errand.daemon.access.Tokens;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * The tool {@code shell}: a command at once, and runs that are spawned, polled, paged and killed.
 */
final class ShellToolTest extends ShellToolCase {
  private static final String AT_HOME =
      "Folder: your home, since neither the call nor its session names one; give cwd.";

  @Test
  void without_an_action_it_waits_for_the_end_and_answers_with_the_output() throws IOException {
    var answer = inBackground("{'command':'make'}");
    var taskId = only();
    surface.hosts.start(taskId);
    surface.hosts.write(taskId, LogStream.STDOUT, "one\n");
    surface.hosts.write(taskId, LogStream.STDERR, "careful\n");
    surface.hosts.write(taskId, LogStream.STDOUT, "two\n");
    surface.hosts.exit(taskId, 0, null);

    var result = answer.join();
    assertThat(structured(result).path("status").stringValue("")).isEqualTo("succeeded");
    assertThat(structured(result).path("exit_code").intValue(-1)).isZero();
    assertThat(structured(result).path("stdout").stringValue("")).isEqualTo("one\ntwo\n");
    assertThat(structured(result).path("stderr").stringValue("")).isEqualTo("careful\n");
    assertThat(result.path("text").stringValue(""))
        .isEqualTo(
            "one\ncareful\ntwo\nrun " + brief(taskId) + " succeeded, exit code 0\n" + AT_HOME);
    assertThat(result.path("is_error").booleanValue(true)).isFalse();
  }

  @Test
  void a_command_that_fails_is_an_error_with_its_output() throws IOException {
    var answer = inBackground("{'command':'make'}");
    var taskId = only();
    surface.hosts.start(taskId);
    surface.hosts.write(taskId, LogStream.STDERR, "no rule");
    surface.hosts.exit(taskId, 2, null);

    var result = answer.join();
    assertThat(result.path("is_error").booleanValue(false)).isTrue();
    assertThat(result.path("text").stringValue(""))
        .isEqualTo("no rule\nrun " + brief(taskId) + " failed, exit code 2\n" + AT_HOME);
  }

  @Test
  void a_command_in_the_foreground_stands_in_no_lane_and_is_read_once_it_is_answered()
      throws IOException {
    var answer = inBackground("{'command':'make'}");
    var taskId = only();

    var spec = known(taskId).spec();
    assertThat(spec.plan().lane()).isNull();
    assertThat(spec.plan().quota()).isTrue();
    assertThat(spec.watching().tells().word()).as("the caller may be lost").isEqualTo("done_only");
    surface.hosts.start(taskId);
    surface.hosts.exit(taskId, 0, null);
    assertThat(structured(answer.join()).has("events")).isFalse();
    await().untilAsserted(() -> assertThat(surface.reads()).containsExactly(taskId + " cli"));
  }

  @Test
  void without_a_timeout_it_is_adopted_at_the_foreground_limit_and_runs_on() throws IOException {
    var answer = inBackground("{'command':'make'}");
    var taskId = only();
    surface.hosts.start(taskId);
    surface.hosts.write(taskId, LogStream.STDOUT, "begun\n");

    var result = structured(answer.join());
    assertThat(result.path("run_id").stringValue("")).isEqualTo(taskId.value());
    assertThat(result.path("status").stringValue("")).isEqualTo("running");
    assertThat(result.path("note").stringValue("")).contains("goes on in the background");
    assertThat(poll(taskId, 0).path("status").stringValue("")).isEqualTo("running");
    surface.hosts.exit(taskId, 0, null);
    assertThat(Surface.json(surface.get("/sessions/cli/inbox"))).hasSize(1);
    assertThat(surface.reads()).isEmpty();
  }

  @Test
  void five_background_runs_do_not_take_a_command_in_the_foreground_away() throws IOException {
    for (var i = 0; i < 5; i++) {
      surface.hosts.start(spawn("'lane':''"));
    }
    var answer = inBackground("{'command':'echo hello','label':'quick'}");
    var taskId = labelled("quick");
    assertThat(known(taskId).spec().plan().waited()).isTrue();
    surface.hosts.start(taskId);
    surface.hosts.write(taskId, LogStream.STDOUT, "hello\n");
    surface.hosts.exit(taskId, 0, null);

    assertThat(structured(answer.join()).path("stdout").stringValue("")).isEqualTo("hello\n");
  }

  @Test
  void a_command_that_goes_on_in_the_background_takes_a_place_from_then_on() throws IOException {
    for (var i = 0; i < 4; i++) {
      surface.hosts.start(spawn("'lane':''"));
    }
    var left = inBackground("{'command':'make','label':'left'}");
    surface.hosts.start(labelled("left"));
    assertThat(structured(left.join()).path("status").stringValue("")).isEqualTo("running");

    var next = spawn("'lane':''");

    var queue = json(surface.get("/tasks/" + next)).path("queue");
    assertThat(queue.path("reason").stringValue("")).isEqualTo("session_quota");
    assertThat(queue.path("ahead").path("limit").intValue(0)).isEqualTo(5);
    assertThat(queue.path("ahead").path("tasks"))
        .extracting(it -> it.stringValue(""))
        .hasSize(5)
        .contains(labelled("left").value());
  }

  private TaskId labelled(String label) throws IOException {
    await().until(() -> json(surface.get("/tasks?label=" + label)).size() == 1);
    return new TaskId(
        json(surface.get("/tasks?label=" + label)).path(0).path("task_id").stringValue(""));
  }

  @Test
  void a_given_timeout_kills_and_is_said() throws IOException {
    var answer = inBackground("{'command':'make','timeout_secs':0.2}");
    var taskId = only();
    assertThat(((Command) known(taskId).spec().work()).limits().wall()).hasSeconds(1);
    surface.hosts.start(taskId);
    surface.hosts.exit(taskId, 143, "wall");

    var result = answer.join();
    assertThat(structured(result).path("status").stringValue("")).isEqualTo("timed_out");
    assertThat(result.path("is_error").booleanValue(false)).isTrue();
  }

  @Test
  void spawn_returns_at_once_with_the_run() throws IOException {
    var result =
        structured(shell("{'action':'spawn','command':'make','session_id':'s1','pty':true}"));

    assertThat(result.propertyNames())
        .containsExactly(
            "run_id", "session_id", "status", "queued_at", "background", "pty", "cwd_note");
    assertThat(result.path("session_id").stringValue("")).isEqualTo("s1");
    assertThat(result.path("status").stringValue("")).isEqualTo("queued");
    assertThat(result.path("background").booleanValue(false)).isTrue();
    assertThat(result.path("pty").booleanValue(false)).isTrue();
    assertThat(Instant.parse(result.path("queued_at").stringValue(""))).isNotNull();
  }

  @Test
  void runs_are_serialized_by_session_and_run_again_if_their_process_is_gone() throws IOException {
    var spec = known(spawn("'session_id':'s1'")).spec();
    var command = (Command) spec.work();

    assertThat(spec.plan().lane()).isEqualTo("shell");
    assertThat(spec.plan().quota()).isTrue();
    assertThat(command.onRestart().word()).isEqualTo("requeue");
    assertThat(spec.watching().tells().word()).isEqualTo("done_only");
    assertThat(command.limits().wall()).isNull();
    assertThat(known(spawn("'lane':'own'")).spec().plan().lane()).isEqualTo("own");
    assertThat(known(spawn("'lane':''")).spec().plan().lane()).isNull();
  }

  @Test
  void background_false_waits_for_the_end() throws IOException {
    var answer = inBackground("{'action':'spawn','command':'make','background':false}");
    var taskId = only();
    surface.hosts.start(taskId);
    surface.hosts.write(taskId, LogStream.STDOUT, "done\n");
    surface.hosts.exit(taskId, 0, null);

    var result = structured(answer.join());
    assertThat(result.path("background").booleanValue(true)).isFalse();
    assertThat(result.path("status").stringValue("")).isEqualTo("succeeded");
    assertThat(result.path("stdout").stringValue("")).isEqualTo("done\n");
    assertThat(result.has("note")).isFalse();
  }

  @Test
  void background_false_waits_no_longer_for_a_run_that_may_take_an_hour() throws IOException {
    var answer =
        structured(
            shell(
                "{'action':'spawn','command':'make','background':false,'timeout_secs':3600,"
                    + "'batch_id':'night','notify':'state_changes'}"));

    assertThat(answer.path("note").stringValue("")).contains("in the background");
    var spec = known(new TaskId(answer.path("run_id").stringValue(""))).spec();
    assertThat(spec.plan().batchId()).isEqualTo("night");
    assertThat(spec.watching().tells().word()).isEqualTo("state_changes");
  }

  @Test
  void background_false_answers_with_a_note_when_it_takes_too_long() throws IOException {
    var result = structured(shell("{'action':'spawn','command':'make','background':false}"));

    assertThat(result.path("run_id").stringValue("")).isEqualTo(only().value());
    assertThat(result.path("note").stringValue("")).contains("in the background");
  }

  @Test
  void kill_asks_for_the_end_and_returns_quickly() throws IOException {
    var taskId = spawn("");
    surface.hosts.start(taskId);

    var result = structured(shell("{'action':'kill','run_id':'" + taskId + "'}"));

    assertThat(result.path("run_id").stringValue("")).isEqualTo(taskId.value());
    assertThat(result.path("status").stringValue("")).isEqualTo("running");
    assertThat(result.has("finished_at")).isFalse();
    assertThat(surface.hosts.applied()).contains("cancel killed by the tool shell");
    surface.hosts.exit(taskId, 143, "cancel");
    assertThat(poll(taskId, 0).path("status").stringValue("")).isEqualTo("canceled");
    var again = structured(shell("{'action':'kill','run_id':'" + taskId + "'}"));
    assertThat(again.path("status").stringValue("")).isEqualTo("canceled");
    assertThat(again.has("finished_at")).isTrue();
  }

  @Test
  void a_run_that_waits_is_killed_before_it_begins() throws IOException {
    surface.fill();
    var taskId = spawn("");

    var result = structured(shell("{'action':'kill','run_id':'" + taskId + "'}"));

    assertThat(result.path("status").stringValue("")).isEqualTo("canceled");
  }

  @Test
  void send_keys_types_names_of_keys_and_text_at_a_terminal() throws IOException {
    var taskId = spawn("'pty':true");
    surface.hosts.start(taskId);

    var result =
        structured(
            shell(
                "{'action':'send_keys','run_id':'"
                    + taskId
                    + "','keys':['ls -la','Enter','C-c']}"));

    assertThat(result.path("bytes_written").intValue(0)).isEqualTo(8);
    assertThat(surface.hosts.applied()).contains("stdin ls -la\r\u0003");
  }

  @Test
  void send_keys_to_a_run_without_a_terminal_says_what_to_do() throws IOException {
    var taskId = spawn("");
    surface.hosts.start(taskId);

    var answer = call("{'action':'send_keys','run_id':'" + taskId + "','keys':['Enter']}");

    assertThat(answer.status()).isEqualTo(400);
    assertThat(json(answer).path("detail").stringValue("")).contains("pty: true");
  }

  @Test
  void output_of_a_terminal_is_shown_as_stdout() throws IOException {
    var taskId = spawn("'pty':true");
    surface.hosts.start(taskId);
    surface.hosts.write(taskId, LogStream.PTY, "\u001b[1mhi\u001b[0m\r\n");

    var item = poll(taskId, 0).path("items").path(1);
    assertThat(item.path("type").stringValue("")).isEqualTo("stdout");
    assertThat(item.path("payload").stringValue("")).isEqualTo("\u001b[1mhi\u001b[0m\r\n");
    var text = shell("{'action':'poll','run_id':'" + taskId + "'}").path("text").stringValue("");
    assertThat(text).contains("\nhi\n[").doesNotContain("\u001b");
  }

  @Test
  void a_watcher_without_once_is_taken_and_a_hit_is_an_event_item() throws IOException {
    var taskId = spawn("'watch':[{'regex':'ready','event':'up','once':null}]");
    surface.hosts.start(taskId);
    surface.hosts.write(taskId, LogStream.STDOUT, "ready\n");
    var match = new TaskEvent.Match(LogStream.STDOUT, 0, 5);
    var sighting = new TaskCommand.Watched.Sighting(0, match, "ready", 1, null);
    surface.engine.submit(taskId, new TaskCommand.Watched(List.of(sighting)), null).orThrow();

    var poll = poll(taskId, 0);
    assertThat(payloads(poll)).containsExactly("running", "ready\n", "up");
    assertThat(poll.path("items").path(2).path("type").stringValue("")).isEqualTo("event");
    assertThat(poll.path("items").path(2).path("meta_json").stringValue(""))
        .contains("\"run_id\":\"" + taskId, "\"stream\":\"stdout\"", "\"regex\":\"ready\"");
  }

  @Test
  void a_watcher_that_cannot_be_is_refused_at_spawn() throws IOException {
    var tooLong =
        call(
            "{'action':'spawn','command':'x','watch':[{'regex':'"
                + "a".repeat(257)
                + "','event':'e'}]}");

    assertThat(tooLong.status()).isEqualTo(400);
    assertThat(call("{'action':'spawn','command':'x','watch':[{'event':'e'}]}").status())
        .isEqualTo(400);
    assertThat(json(surface.get("/tasks"))).isEmpty();
  }

  @Test
  void what_is_missing_or_has_no_meaning_is_refused_by_name() throws IOException {
    var refused =
        Map.of(
            "{'action':'spawn'}", "command",
            "{}", "command",
            "{'action':'poll'}", "run_id",
            "{'action':'kill'}", "run_id",
            "{'action':'dance'}", "spawn, poll, log, kill, send_keys",
            "{'command':'x','run_id':'y'}", "run_id",
            "{'action':'log','run_id':'x','stream':'both'}", "stdout, stderr");
    for (var each : refused.entrySet()) {
      var answer = call(each.getKey());
      assertThat(answer.status()).as(each.getKey()).isEqualTo(400);
      assertThat(json(answer).path("detail").stringValue("")).contains(each.getValue());
    }
  }

  @Test
  void an_unknown_run_is_not_found_and_a_pruned_one_says_when_and_why() throws IOException {
    var answer = call("{'action':'poll','run_id':'0198c000-0000-7000-8000-000000000009'}");
    assertThat(code(answer)).isEqualTo("TASK_NOT_FOUND");

    for (var session : List.of("cli", "s1")) {
      var taskId = pruned(session);
      for (var action : List.of("poll", "log")) {
        var pruned = call("{'action':'" + action + "','run_id':'" + taskId + "'}");
        assertThat(code(pruned)).isEqualTo("TASK_REMOVED");
        assertThat(json(pruned).path("detail").stringValue(""))
            .contains("removed at", "removed by request");
      }
    }
  }

  @Test
  void a_pruned_run_looks_unknown_to_all_who_did_not_see_it() throws IOException {
    var body = "{\"action\":\"poll\",\"run_id\":\"" + pruned("s1") + "\"}";
    var other = Map.of("Authorization", "Bearer " + surface.owner("other"));

    assertThat(code(surface.tcpCall("POST", "/tools/shell", other, body)))
        .isEqualTo("TASK_NOT_FOUND");
    assertThat(code(call(body.replace("}", ",'session_id':'s2'}")))).isEqualTo("TASK_NOT_FOUND");
  }

  private TaskId pruned(String session) throws IOException {
    var taskId = spawn("'session_id':'" + session + "'");
    surface.hosts.start(taskId);
    surface.hosts.exit(taskId, 0, null);
    surface.call("DELETE", "/tasks/" + taskId, Map.of(), null);
    return taskId;
  }

  @Test
  void a_run_that_is_found_by_its_id_alone_is_read_for_its_session() throws IOException {
    for (var action : List.of("poll", "log")) {
      var taskId = spawn("'session_id':'s1'");
      surface.hosts.start(taskId);
      surface.hosts.exit(taskId, 0, null);

      shell("{'action':'" + action + "','run_id':'" + taskId + "'}");

      await().untilAsserted(() -> assertThat(surface.readFor()).contains(taskId + " s1"));
    }
  }

  @Test
  void a_run_that_is_found_by_its_id_alone_is_controlled_by_who_started_it() throws IOException {
    var taskId = spawn("'session_id':'s1','pty':true");
    surface.hosts.start(taskId);
    var kill = "{'action':'kill','run_id':'" + taskId + "'}";
    var stranger = Map.of("Authorization", "Bearer " + surface.owner("stranger"));

    var typed = shell("{'action':'send_keys','run_id':'" + taskId + "','keys':'q'}");
    var refused = surface.tcpCall("POST", "/tools/shell", stranger, kill.replace('\'', '"'));
    var killed = shell(kill);

    assertThat(structured(typed).path("bytes_written").intValue(0)).isEqualTo(1);
    assertThat(code(refused)).isEqualTo("TASK_NOT_FOUND");
    assertThat(structured(killed).path("status").stringValue("")).isEqualTo("running");
    assertThat(surface.hosts.applied()).contains("stdin q", "cancel killed by the tool shell");
  }

  @Test
  void a_run_of_another_session_looks_unknown() throws IOException {
    var taskId = spawn("'session_id':'s1'");

    var answer = call("{'action':'poll','run_id':'" + taskId + "','session_id':'s2'}");

    assertThat(code(answer)).isEqualTo("TASK_NOT_FOUND");
    assertThat(poll(taskId, 0).path("session_id").stringValue("")).isEqualTo("s1");
  }

  @Test
  void a_caller_that_names_no_session_is_in_its_own_as_with_every_other_tool() throws IOException {
    var spawn = "{\"action\":\"spawn\",\"command\":\"make\"}";
    var bound = new Tokens.NewToken("bound", Profile.FULL_AUTO, new SessionId("kept"));
    var token = surface.tokens.mint(new Tokens.Manager.Owner("cli"), bound).token();

    for (var each : Map.of(surface.owner("free"), "free", token, "kept").entrySet()) {
      var headers = Map.of("Authorization", "Bearer " + each.getKey());
      var run = json(surface.tcpCall("POST", "/tools/shell", headers, spawn)).path("structured");
      assertThat(run.path("session_id").stringValue("")).isEqualTo(each.getValue());
      var list = surface.tcpCall("POST", "/tools/task_digest", headers, "{}");
      assertThat(json(list).path("structured").path("session_id").stringValue(""))
          .isEqualTo(each.getValue());
      var status = "{\"task_id\":\"" + run.path("run_id").stringValue("") + "\"}";
      assertThat(surface.tcpCall("POST", "/tools/task_status", headers, status).status())
          .isEqualTo(200);
    }
    var person = json(surface.post("/tools/shell", spawn)).path("structured");
    assertThat(person.path("session_id").stringValue("")).isEqualTo("cli");
    var own = spawn("'session_id':'s1'");
    var stranger = Map.of("Authorization", "Bearer " + surface.owner("stranger"));
    var poll = "{\"action\":\"poll\",\"run_id\":\"" + own + "\"}";
    assertThat(surface.tcpCall("POST", "/tools/shell", stranger, poll).status()).isEqualTo(404);
  }

  @Test
  void approved_is_taken_and_approves_nothing() throws IOException {
    assertThat(known(spawn("'approved':true")).spec().ruling())
        .isEqualTo(known(spawn("")).spec().ruling());
    assertThat(call("{'action':'spawn','command':'make','approved':'yes'}").status())
        .isEqualTo(400);
  }

  @Test
  void a_repeated_spawn_is_one_run() throws IOException {
    var body = "{\"action\":\"spawn\",\"command\":\"make\"}";

    var first = surface.keyed("POST", "/tools/shell", "k", body);
    var second = surface.keyed("POST", "/tools/shell", "k", body);

    assertThat(second.text()).isEqualTo(first.text());
    assertThat(json(surface.get("/tasks"))).hasSize(1);
  }
}
