package dev.errand.daemon.surface.http;

import static dev.errand.daemon.surface.http.Surface.code;
import static dev.errand.daemon.surface.http.Surface.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.errand.core.policy.Profile;
import dev.errand.core.task.Plan;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskCommand;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskSpec;
import dev.errand.core.task.TaskState;
import dev.errand.daemon.access.Tokens;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A session's tasks and what these have started belong together, whatever door one looks through.
 */
final class ReachTest {

  /** Tools that show one task and do not wait for it. */
  private static final List<String> LOOKING =
      List.of("task_status", "tool.task_status", "tool.task_stream_events", "background_output");

  private static final TaskId CHILD = new TaskId("0198c000-0000-7000-8000-0000000000c1");
  private static final TaskId GRANDCHILD = new TaskId("0198c000-0000-7000-8000-0000000000c2");

  @TempDir Path folder;
  private Surface surface;
  private ToolCalls tools;
  private TaskId parent;

  /** A task of session cli has one in session b below it, and that one has one in session c. */
  @BeforeEach
  void start() throws IOException {
    surface = Surface.start(folder);
    tools = new ToolCalls(surface);
    parent = surface.running();
    below(parent, CHILD, "b");
    below(CHILD, GRANDCHILD, "c");
  }

  @AfterEach
  void stop() {
    surface.close();
  }

  private void below(TaskId above, TaskId taskId, String session) {
    var known = ((TaskState.Present) surface.engine.snapshot(above).state()).facts();
    var origin = new TaskSpec.Origin(new SessionId(session), "task:" + above, null, null, null);
    var like = known.spec();
    var plan =
        new Plan(
            null,
            Plan.Priority.NORMAL,
            List.of(),
            List.of(),
            Duration.ZERO,
            "night",
            false,
            false,
            null,
            0,
            List.of());
    var spec = new TaskSpec(origin, like.work()).planned(plan.below(above, like.plan()));
    var spawn = new TaskCommand.Spawn(spec, surface.hosts.claim());
    surface.engine.submit(taskId, spawn, null).orThrow();
    surface.hosts.start(taskId);
  }

  private Map<String, String> token(String name, Profile profile, @Nullable String session) {
    var wanted =
        new Tokens.NewToken(name, profile, session == null ? null : new SessionId(session));
    var token = surface.tokens.mint(new Tokens.Manager.Owner("cli"), wanted).token();
    return Map.of("Authorization", "Bearer " + token);
  }

  @Test
  void lists_show_what_the_session_has_started_elsewhere() throws IOException {
    for (var tool : new String[] {"task_list", "background_list", "task_digest"}) {
      assertThat(tools.answer(tool, "{}").toString())
          .as(tool)
          .contains(parent.value(), CHILD.value(), GRANDCHILD.value());
      assertThat(tools.answer(tool, "{'session_id':'b'}").toString())
          .as(tool)
          .contains(CHILD.value(), GRANDCHILD.value())
          .doesNotContain(parent.value());
      assertThat(tools.answer(tool, "{'session_id':'d'}").toString())
          .as(tool)
          .doesNotContain(parent.value(), CHILD.value(), GRANDCHILD.value());
    }
    assertThat(tools.structured("task_list", "{'limit':1}").path("tasks")).hasSize(1);
    assertThat(tools.structured("task_list", "{'active_only':true}").path("tasks")).hasSize(3);
  }

  @Test
  void a_batch_holds_what_the_session_has_started_elsewhere() throws IOException {
    assertThat(tools.structured("task_list", "{'batch_id':'night'}").path("tasks")).hasSize(2);
    assertThat(json(surface.get("/batches/night")).path("total").intValue(0)).isEqualTo(2);
    assertThat(json(surface.get("/batches/night?session_id=c")).path("total").intValue(0))
        .isEqualTo(1);
    surface.hosts.exit(CHILD, 0, null);
    surface.hosts.exit(GRANDCHILD, 0, null);
    assertThat(json(surface.get("/batches/night")).path("status").stringValue(""))
        .isEqualTo("completed");
  }

  @Test
  void what_has_ended_is_cleared_away_with_the_sessions_own() throws IOException {
    surface.hosts.exit(CHILD, 0, null);

    var cleared = tools.structured("background_clear", "{}");

    assertThat(cleared.path("cleared").longValue()).isEqualTo(1);
    assertThat(cleared.path("running").longValue()).isEqualTo(2);
    for (var session : List.of("cli", "b")) {
      var call = "{'task_id':'%s','session_id':'%s'}".formatted(CHILD, session);
      assertThat(code(tools.call("task_status", call))).as(session).isEqualTo("TASK_REMOVED");
    }
    assertThat(code(tools.call("task_status", "{'task_id':'" + CHILD + "','session_id':'c'}")))
        .isEqualTo("TASK_NOT_FOUND");
    // What stood between is gone; what it started still belongs to the session.
    assertThat(tools.call("task_status", "{'task_id':'" + GRANDCHILD + "'}").status())
        .isEqualTo(200);
  }

  @Test
  void a_bound_token_reaches_the_same_by_tools_and_by_routes() throws IOException {
    var reached =
        Map.of(
            "cli", List.of(parent, CHILD, GRANDCHILD),
            "b", List.of(CHILD, GRANDCHILD),
            "c", List.of(GRANDCHILD),
            "d", List.<TaskId>of());
    for (var each : reached.entrySet()) {
      var headers = token("of-" + each.getKey(), Profile.FULL_AUTO, each.getKey());
      var listed =
          json(surface.tcpCall("GET", "/tasks", headers))
              .valueStream()
              .map(it -> new TaskId(it.path("task_id").stringValue("")))
              .toList();
      assertThat(listed).containsExactlyInAnyOrderElementsOf(each.getValue());
      for (var taskId : List.of(parent, CHILD, GRANDCHILD)) {
        var expected = each.getValue().contains(taskId) ? 200 : 404;
        var route = surface.tcpCall("GET", "/tasks/" + taskId, headers);
        var events = surface.tcpCall("GET", "/tasks/" + taskId + "/events?follow=false", headers);
        assertThat(List.of(route.status(), events.status()))
            .as("%s of %s", taskId, each.getKey())
            .containsOnly(expected);
        for (var tool : LOOKING) {
          var answer =
              surface.tcpCall(
                  "POST", "/tools/" + tool, headers, "{\"task_id\":\"" + taskId + "\"}");
          assertThat(answer.status())
              .as("%s by %s of %s", taskId, tool, each.getKey())
              .isEqualTo(expected);
        }
      }
    }
  }

  @Test
  void a_foreign_task_is_answered_for_as_one_that_never_was() throws IOException {
    var headers = token("of-c", Profile.FULL_AUTO, "c");
    var unknown = "0198c000-0000-7000-8000-00000000ffff";
    for (var route : new String[] {"/cancel", "/signal", "/stdin", "/wait"}) {
      var foreign = surface.tcpCall("POST", "/tasks/" + parent + route, headers, "{\"no\":1}");
      var never = surface.tcpCall("POST", "/tasks/" + unknown + route, headers, "{\"no\":1}");
      assertThat(foreign.status()).as(route).isEqualTo(404);
      assertThat(json(foreign).path("detail")).isEqualTo(json(never).path("detail"));
    }
  }

  @Test
  void what_a_caller_does_not_see_can_no_more_be_followed_than_what_is_not_there()
      throws IOException {
    var unknown = new TaskId("0198c000-0000-7000-8000-00000000ffff");
    for (var headers :
        List.of(token("of-c", Profile.FULL_AUTO, "c"), token("free", Profile.SAFE, null))) {
      for (var field : List.of("after", "after_any")) {
        var foreign = follow(headers, field, parent);
        var never = follow(headers, field, unknown);
        assertThat(code(foreign)).isEqualTo("INVALID_REQUEST").isEqualTo(code(never));
        assertThat(json(foreign).path("detail").stringValue("").replace(parent.value(), "X"))
            .isEqualTo(json(never).path("detail").stringValue("").replace(unknown.value(), "X"));
      }
    }
    var own = follow(token("of-b", Profile.FULL_AUTO, "b"), "after", GRANDCHILD);
    assertThat(own.status()).isEqualTo(200);
    assertThat(tools.call("task_spawn", "{'command':'x','after':['" + parent + "']}").status())
        .isEqualTo(200);
  }

  private Wire.Answer follow(Map<String, String> headers, String field, TaskId taskId)
      throws IOException {
    var body = "{\"command\":\"x\",\"%s\":[\"%s\"]}".formatted(field, taskId);
    return surface.tcpCall("POST", "/tools/task_spawn", headers, body);
  }
}
