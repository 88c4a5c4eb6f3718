package dev.errand.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskId;
import dev.errand.wire.client.OutputSearch;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/** The tools of agents on real processes, called from a shell as from a program. */
@Timeout(120)
@DaemonCase.Settings("[tasks]\norphan_ttl = \"1s\"\n")
final class AgentToolsTest extends DaemonCase {
  private static JsonNode tool(String name, String arguments) throws Exception {
    return sandbox.errand("tool", name, arguments.replace('\'', '"'), "--json").succeeded().json();
  }

  private static String text(JsonNode node, String name) {
    return node.path(name).stringValue("");
  }

  @Test
  void a_long_output_is_joined_searched_and_read_by_its_lines() throws Exception {
    var command =
        "seq 1 200000 | sed \\\"s/^77777$/$(printf '\\\\033[31m')FAIL$(printf '\\\\033[0m') here/\\\"; exit 4";
    var spawned =
        tool("task_spawn", "{'command':'" + command.replace("'", "\\u0027") + "','label':'long'}");
    var joined = tool("task_join", "{'label':'long'}");

    assertThat(text(joined, "status")).isEqualTo("failed");
    assertThat(text(joined, "result")).endsWith("\n199999\n200000\n(exit code 4)");
    var taskId = new TaskId(text(spawned, "task_id"));
    var found = client.search(taskId, LogStream.STDOUT, OutputSearch.of("FAIL").withContext(1));
    assertThat(found.matches()).hasSize(1);
    assertThat(found.matches().getFirst().line()).isEqualTo(77_777);
    assertThat(found.matches().getFirst().text()).isEqualTo("FAIL here");
    assertThat(client.lines(taskId, LogStream.STDOUT, 199_999, 10).lines())
        .containsExactly("199999", "200000");
    assertThat(sandbox.errand("logs", "long", "--lines", "77776:77777").succeeded().out())
        .isEqualTo("77776\nFAIL here\n");
    assertThat(sandbox.errand("logs", "long", "--search", "FAIL", "-C", "1").succeeded().out())
        .isEqualTo("stdout:77776-77776\nstdout:77777:FAIL here\nstdout:77778-77778\n");
  }

  @Test
  void a_kill_answers_when_the_whole_tree_is_dead() throws Exception {
    var spawned = tool("task_spawn", "{'command':'sleep 600 & echo child $!; wait'}");
    var id = "{'task_id':'" + text(spawned, "task_id") + "'";
    tool("task_wait", id + ",'until':{'text':'child .+'}}");

    var killed = tool("task_kill", id + ",'reason':'enough'}");

    assertThat(text(killed, "status")).isEqualTo("killed");
    var partial = text(killed, "partial_result");
    assertThat(partial).endsWith("(cancelled by cli: enough)");
    var child = Long.parseLong(partial.lines().findFirst().orElseThrow().substring(6));
    assertThat(Sandbox.isAlive(child)).isFalse();
  }

  @Test
  void a_batch_is_launched_watched_and_cancelled() throws Exception {
    var launch = "{'description':'%s','command':'%s','batch_id':'pair'}";
    tool("background_task", launch.formatted("first", "echo hi"));
    tool("background_task", launch.formatted("second", "exec sleep 600"));
    tool("task_wait", "{'batch_id':'pair','mode':'any'}");

    var cancelled = tool("background_cancel", "{'batch_id':'pair'}");

    assertThat(cancelled.path("tasks"))
        .extracting(it -> text(it, "status"))
        .containsExactly("cancelled", "completed");
    var list = sandbox.errand("tool", "background_list", "{\"batch_id\":\"pair\"}");
    assertThat(list.succeeded().out())
        .contains("| first | command | ✓ completed |")
        .contains("| second | command | ⊘ cancelled |");
  }

  @Test
  void task_persistence_until_the_parent_session_ends() {
    var launched =
        called("background_task", "{'description':'d','command':'echo kept','session_id':'over'}");
    var one = "{'task_id':'" + text(launched, "id") + "','session_id':'over','block':true}";
    assertThat(text(called("background_output", one), "result")).startsWith("kept");
    client.gc();
    assertThat(text(called("background_output", one), "status")).isEqualTo("completed");

    client.sessions().end("over");

    await()
        .atMost(Sandbox.PATIENCE)
        .pollInterval(Duration.ofMillis(200))
        .untilAsserted(() -> {
          client.gc();
          assertThatThrownBy(() -> called("background_output", one))
              .hasMessageContaining("its session was ended");
        });
  }

  private static JsonNode called(String name, String arguments) {
    var body = arguments.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
    return client.tools().call(name, body).object("structured").node();
  }
}
