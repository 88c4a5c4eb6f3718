package dev.errand.daemon.surface.http;

import static dev.errand.daemon.surface.http.Surface.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskState;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Runs that a rule of the policy asks about: they are held, and say so. */
final class ShellHeldTest {
  @TempDir private Path folder;
  private Surface surface;

  @BeforeEach
  void start() throws IOException {
    surface =
        Surface.start(
            folder,
            """
            [[policy.rule]]
            match = "git push"
            decision = "ask"
            """);
  }

  @AfterEach
  void close() {
    surface.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'action':'spawn','command':'git push'}",
        "{'action':'spawn','command':'git push','background':false}",
        "{'action':'spawn','command':'git push','approved':true}",
        "{'command':'git push'}"
      })
  void a_run_that_is_held_for_approval_says_so_at_once(String arguments) throws IOException {
    var answer = call("shell", arguments);

    assertThat(answer.path("structured").path("status").stringValue("")).isEqualTo("queued");
    assertThat(answer.path("structured").path("note").stringValue(""))
        .isEqualTo("it waits for a person's approval");
    assertThat(answer.path("text").stringValue("")).contains("waits for a person's approval");
    var runId = answer.path("structured").path("run_id").stringValue("");
    assertThat(surface.engine.snapshot(new TaskId(runId)).state())
        .isInstanceOf(TaskState.Held.class);
    var poll = call("shell", "{'action':'poll','run_id':'" + runId + "'}").path("structured");
    assertThat(poll.path("status").stringValue("")).isEqualTo("queued");
  }

  @Test
  void the_other_tools_say_so_as_well() throws IOException {
    var answer = call("task_spawn", "{'command':'git push'}");

    assertThat(answer.path("structured").path("held").booleanValue(false)).isTrue();
    assertThat(answer.path("text").stringValue("")).contains("waits for a person's approval");
  }

  private JsonNode call(String tool, String arguments) throws IOException {
    var body = arguments.replace('\'', '"');
    var answer = surface.tcpCall("POST", "/tools/" + tool, Map.of(), body);
    assertThat(answer.status()).as(answer.text()).isEqualTo(200);
    return json(answer);
  }
}
