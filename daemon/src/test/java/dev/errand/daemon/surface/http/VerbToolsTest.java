package dev.errand.daemon.surface.http;

import static dev.errand.daemon.surface.http.Surface.code;
import static dev.errand.daemon.surface.http.Surface.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.errand.core.journal.StreamKey;
import dev.errand.core.policy.Profile;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskState;
import dev.errand.daemon.access.Tokens;
import dev.errand.wire.json.SpawnRequest;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The verbs as tools do what the routes of their names do. */
final class VerbToolsTest {
  @TempDir Path folder;
  private Surface surface;

  @BeforeEach
  void start() throws IOException {
    surface = Surface.start(folder);
  }

  @AfterEach
  void stop() {
    surface.close();
  }

  @Test
  void task_spawn_takes_what_the_route_takes_and_takes_a_place_of_the_session() throws IOException {
    var result = call("task_spawn", "{'tool':'bash','args':{'command':'make'},'label':'build'}");

    var taskId = new TaskId(result.path("task_id").stringValue(""));
    var known = ((TaskState.Present) surface.engine.snapshot(taskId).state()).facts();
    assertThat(known.spec().plan().quota()).isTrue();
    assertThat(known.spec().plan().lane()).isNull();
    assertThat(known.spec().origin().label()).isEqualTo("build");
    var plain = surface.spawn();
    known = ((TaskState.Present) surface.engine.snapshot(plain).state()).facts();
    assertThat(known.spec().plan().quota()).isFalse();
  }

  @Test
  void the_schema_of_task_spawn_names_every_field_of_the_route() throws IOException {
    var spawn =
        json(surface.get("/tools"))
            .valueStream()
            .filter(it -> it.path("name").stringValue("").equals("tool_task_spawn"))
            .findFirst()
            .orElseThrow();

    assertThat(spawn.path("input_schema").path("properties").propertyNames())
        .containsExactlyInAnyOrderElementsOf(SpawnRequest.fields());
  }

  @Test
  void task_cancel_asks_for_the_end() throws IOException {
    var taskId = surface.running();

    var result = call("task_cancel", "{'task_id':'" + taskId + "','reason':'enough'}");

    assertThat(result.path("cancel_requested").path("reason").stringValue("")).isEqualTo("enough");
    assertThat(surface.hosts.applied()).contains("cancel enough");
  }

  @Test
  void task_signal_write_stdin_and_resize_are_applied() throws IOException {
    var taskId = surface.running();
    var terminal = surface.terminal(24, 80);

    call("task_signal", "{'task_id':'" + taskId + "','signal':'sigusr1'}");
    var written = call("task_write_stdin", "{'task_id':'" + taskId + "','text':'hello'}");
    var resized =
        call("task_resize", "{'task_id':'" + terminal + "','session_id':'s','rows':50,'cols':132}");

    assertThat(written.path("bytes_written").intValue(0)).isEqualTo(5);
    assertThat(resized.path("rows").intValue(0)).isEqualTo(50);
    assertThat(surface.hosts.applied()).contains("signal USR1", "stdin hello", "resize 50x132");
  }

  @Test
  void task_stream_events_pages_through_all_frames() throws IOException {
    var taskId = surface.running();
    surface.hosts.exit(taskId, 0, null);
    var all = json(surface.get("/tasks/" + taskId + "/events", accept()));

    var first = call("task_stream_events", "{'task_id':'" + taskId + "','limit':2}");
    assertThat(first.path("events")).hasSize(2);
    assertThat(first.path("ended").booleanValue(true)).isFalse();
    var rest =
        call(
            "task_stream_events",
            "{'task_id':'" + taskId + "','after_seq':" + first.path("next_after_seq") + "}");
    assertThat(rest.path("ended").booleanValue(false)).isTrue();
    assertThat(rest.path("events")).hasSize(all.size() - 2);
    assertThat(rest.path("events").path(0)).isEqualTo(all.path(2));
  }

  @Test
  void task_stream_events_waits_for_a_frame() throws IOException {
    var taskId = surface.running();
    var later = Thread.ofVirtual().unstarted(() -> surface.hosts.exit(taskId, 0, null));
    var at = call("task_stream_events", "{'task_id':'" + taskId + "'}").path("next_after_seq");

    later.start();
    var result =
        call(
            "task_stream_events",
            "{'task_id':'" + taskId + "','after_seq':" + at + ",'wait_ms':20000}");

    assertThat(result.path("events")).isNotEmpty();
  }

  @Test
  void output_store_and_fetch_keep_content_under_its_digest() throws IOException {
    var stored = call("output_store", "{'content':'aäb'}");
    var id = stored.path("artifact_id").stringValue("");

    assertThat(stored.path("bytes").intValue(0)).isEqualTo(4);
    assertThat(call("output_fetch", "{'id':'" + id + "'}").path("content").stringValue(""))
        .isEqualTo("aäb");
    var part = call("output_fetch", "{'id':'" + id + "','offset_bytes':1,'max_bytes':2}");
    assertThat(part.path("content").stringValue("")).isEqualTo("ä");
    var base64 = call("output_fetch", "{'id':'" + id + "','max_bytes':1,'encoding':'base64'}");
    assertThat(base64.path("content_b64").stringValue("")).isEqualTo("YQ==");
    assertThat(base64.path("truncated").booleanValue(false)).isTrue();
  }

  @Test
  void a_place_past_the_end_is_refused_with_the_end() throws IOException {
    var taskId = surface.running();
    surface.hosts.write(taskId, LogStream.STDOUT, "abc");
    var head = surface.journal.lastSeq(StreamKey.of(taskId));

    var events =
        refused("tool.task_stream_events", "{'task_id':'%s','after_seq':%d}", taskId, head + 1);
    var fetched = refused("tool.output_fetch", "{'id':'%s.stdout','offset_bytes':%d}", taskId, 4L);
    var waited =
        refused("task_wait", "{'task_id':'%s','until':{'text':'x'},'from_offset':%d}", taskId, 4L);
    var searched =
        refused("task_search_output", "{'task_id':'%s','pattern':'x','from_line':%d}", taskId, 3L);

    assertThat(events).contains("the last frame is " + head);
    assertThat(List.of(fetched, waited))
        .allSatisfy(it -> assertThat(it).contains("there are 3 bytes"));
    assertThat(searched).contains("line 2 comes next");
  }

  private String refused(String tool, String arguments, TaskId taskId, long place)
      throws IOException {
    var body = arguments.formatted(taskId, place).replace('\'', '"');
    var answer = surface.post("/tools/" + tool, body);
    assertThat(answer.status()).as("%s %s", tool, answer.text()).isIn(400, 416);
    return answer.text();
  }

  @Test
  void output_fetch_reads_a_log_while_it_grows_and_tears_no_character() throws IOException {
    var taskId = surface.running();
    surface.hosts.write(taskId, LogStream.STDOUT, new byte[] {'a', (byte) 0xC3});

    var part = call("output_fetch", "{'id':'" + taskId + ".stdout'}");

    assertThat(part.path("content").stringValue("")).isEqualTo("a");
    assertThat(part.path("bytes").intValue(0)).isEqualTo(1);
    assertThat(part.path("total_bytes").intValue(0)).isEqualTo(2);
    assertThat(part.path("ended").booleanValue(true)).isFalse();
  }

  @Test
  void a_log_that_a_task_cannot_have_is_fetched_as_an_empty_one() throws IOException {
    var taskId = surface.running();

    var part = call("output_fetch", "{'id':'" + taskId + ".pty'}");

    assertThat(part.path("content").stringValue("")).isEmpty();
    assertThat(part.path("total_bytes").intValue(-1)).isZero();
    assertThat(part.path("ended").booleanValue(true)).isFalse();
  }

  @Test
  void foreign_tasks_logs_and_artifacts_look_unknown() throws IOException {
    var taskId = surface.running();
    surface.hosts.write(taskId, LogStream.STDOUT, "secret");
    surface.hosts.exit(taskId, 0, null);
    var log = json(surface.get("/tasks/" + taskId)).path("artifacts").path("logs").path("stdout");
    var wanted = new Tokens.NewToken("theirs", Profile.FULL_AUTO, new SessionId("theirs"));
    var token = surface.tokens.mint(new Tokens.Manager.Owner("cli"), wanted).token();
    var headers = Map.of("Authorization", "Bearer " + token);
    var calls =
        Map.of(
            "task_cancel", "{'task_id':'" + taskId + "'}",
            "task_signal", "{'task_id':'" + taskId + "','signal':'KILL'}",
            "task_stream_events", "{'task_id':'" + taskId + "'}",
            "output_fetch", "{'id':'" + log.path("artifact_id").stringValue("") + "'}");

    for (var each : calls.entrySet()) {
      var answer =
          surface.tcpCall(
              "POST", "/tools/tool." + each.getKey(), headers, each.getValue().replace('\'', '"'));
      assertThat(answer.status()).as(each.getKey()).isEqualTo(404);
    }
    var answer =
        surface.tcpCall(
            "POST", "/tools/tool.output_fetch", headers, "{\"id\":\"" + taskId + ".stdout\"}");
    assertThat(code(answer)).isEqualTo("TASK_NOT_FOUND");
  }

  @Test
  void a_caller_that_is_trusted_less_may_only_look() throws IOException {
    var taskId = surface.running();
    var wanted = new Tokens.NewToken("mine", Profile.SAFE, new SessionId("cli"));
    var token = surface.tokens.mint(new Tokens.Manager.Owner("cli"), wanted).token();
    var headers = Map.of("Authorization", "Bearer " + token);
    var arguments = "{\"task_id\":\"" + taskId + "\"}";

    assertThat(surface.tcpCall("POST", "/tools/tool.task_cancel", headers, arguments).status())
        .isEqualTo(403);
    assertThat(surface.tcpCall("POST", "/tools/tool.task_status", headers, arguments).status())
        .isEqualTo(200);
  }

  private JsonNode call(String name, String arguments) throws IOException {
    var answer = surface.post("/tools/tool." + name, arguments.replace('\'', '"'));
    assertThat(answer.status()).as(answer.text()).isEqualTo(200);
    return json(answer).path("structured");
  }

  private static Map<String, String> accept() {
    return Map.of("Accept", "application/json");
  }
}
