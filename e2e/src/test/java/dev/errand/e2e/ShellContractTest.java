package dev.errand.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskId;
import dev.errand.wire.json.Json;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/**
 * What the contract of the tool shell promises, each under the name of its section. Scope and API
 * shape are those of {@code ShellToolTest}; the persistence model is held by whatever here kills
 * the daemon, under the name of what it claims.
 */
@Timeout(120)
final class ShellContractTest extends DaemonCase {
  /** A run that is looked at page by page, each item once. */
  private static final class Reader {
    private final String runId;
    private final List<JsonNode> items = new ArrayList<>();
    private long since;
    private String status = "";

    Reader(JsonNode spawned) {
      runId = spawned.path("run_id").stringValue("");
    }

    /** Its events in brackets and its output between them. */
    String text() {
      var answer = shell("{'action':'poll','run_id':'%s','since_seq':%d}".formatted(runId, since));
      answer.path("items").forEach(items::add);
      since = answer.path("next_seq").longValue();
      status = answer.path("status").stringValue("");
      var text = new StringBuilder();
      for (var item : items) {
        var payload = item.path("payload").stringValue("");
        text.append(type(item).equals("event") ? "[" + payload + "]" : payload);
      }
      return text.toString();
    }

    void awaitText(String part) {
      await().atMost(Sandbox.PATIENCE).until(() -> text().contains(part));
    }

    JsonNode event(String name) {
      return items.stream()
          .filter(it -> type(it).equals("event"))
          .filter(it -> it.path("payload").stringValue("").equals(name))
          .findFirst()
          .orElseThrow();
    }

    private static String type(JsonNode item) {
      return item.path("type").stringValue("");
    }
  }

  private static JsonNode shell(String arguments) {
    var body = arguments.replace('\'', '"');
    return client
        .tools()
        .call("shell", body.getBytes(StandardCharsets.UTF_8))
        .object("structured")
        .node();
  }

  private static Instant time(JsonNode answer, String name) {
    return Instant.parse(answer.path(name).stringValue(""));
  }

  private static JsonNode over(Reader run) {
    client.waitEnd(new TaskId(run.runId), Sandbox.PATIENCE);
    return shell("{'action':'poll','run_id':'%s'}".formatted(run.runId));
  }

  @Test
  void poll_vs_log_semantics() {
    var run =
        new Reader(
            shell(
                "{'action':'spawn','session_id':'paged','command':"
                    + "'for i in 1 2 3; do echo out$i; echo err$i >&2; sleep 0.02; done'}"));

    var polled = over(run);
    assertThat(polled.path("status").stringValue("")).isEqualTo("succeeded");
    assertThat(polled.path("exit_code").intValue(-1)).isZero();
    assertThat(polled.path("truncated").booleanValue(true)).isFalse();
    assertThat(polled.path("snippet").stringValue("")).contains("out3");
    var log = "{'action':'log','run_id':'%s','since_seq':%d,'limit':1,'stream':'stderr'}";
    var text = new StringBuilder();
    var page = shell(log.formatted(run.runId, 0));
    while (!page.path("items").isEmpty()) {
      page.path("items").forEach(it -> text.append(it.path("payload").stringValue("")));
      page = shell(log.formatted(run.runId, page.path("next_seq").longValue()));
    }
    assertThat(text).hasToString("err1\nerr2\nerr3\n");
    assertThat(page.has("status")).isFalse();
    // Both know the same cursor.
    assertThat(shell(log.formatted(run.runId, polled.path("next_seq").longValue())).path("items"))
        .isEmpty();
  }

  @Test
  void blocking_avoidance_rule() {
    var spawn = "{'action':'spawn','session_id':'quick','command':'exec sleep 600'}";
    var first = new Reader(shell(spawn));
    var second = new Reader(shell(spawn));

    // Each of these calls is answered while the first of them would run for minutes.
    first.awaitText("[running]");
    assertThat(second.text()).isEmpty();
    assertThat(second.status).isEqualTo("queued");
    for (var run : List.of(second, first)) {
      shell("{'action':'kill','run_id':'%s'}".formatted(run.runId));
      assertThat(over(run).path("status").stringValue("")).isEqualTo("canceled");
    }
  }

  @Test
  void retention_notes() {
    var spawn = "{'action':'spawn','session_id':'kept','command':'echo %s'}";
    var pruned = new Reader(shell(spawn.formatted("old")));
    var kept = new Reader(shell(spawn.formatted("new")));
    over(pruned);
    over(kept);
    client.remove(new TaskId(pruned.runId));

    for (var action : List.of("poll", "log")) {
      var call = "{'action':'%s','run_id':'%s'}".formatted(action, pruned.runId);
      assertThatThrownBy(() -> shell(call)).hasMessageContaining("removed at");
    }
    assertThat(kept.text()).isEqualTo("[running]new\n[succeeded]");
  }

  @Test
  void snippet_and_callback_guidance() {
    var run =
        new Reader(
            shell("{'action':'spawn','session_id':'snipped','command':'seq 3000; echo the last'}"));
    var inbox = client.inbox(new SessionId("snipped"));

    var notice = inbox.read(null, 10, Sandbox.PATIENCE).getFirst().text("snippet");
    var polled = over(run);
    var next = polled.path("next_seq").longValue();
    var later = shell("{'action':'poll','run_id':'%s','since_seq':%d}".formatted(run.runId, next));

    assertThat(notice).hasSize(4_096).endsWith("3000\nthe last\n");
    assertThat(polled.path("snippet").stringValue("")).isEqualTo(notice);
    assertThat(later.path("items")).isEmpty();
    assertThat(later.has("snippet")).as("only what is new is told with a cursor").isFalse();
    // The session was named once, and a poll by the id alone has read for it. Marks of reading are
    // committed together a moment later.
    await()
        .atMost(Sandbox.PATIENCE)
        .untilAsserted(() -> assertThat(inbox.read(null, 10, Duration.ZERO)).isEmpty());
  }

  @Test
  void recovery_model() throws Exception {
    var mark = sandbox.folder().resolve("mark");
    var run =
        new Reader(
            shell(
                "{'action':'spawn','command':'echo begin; [ -e %s ] || { touch %s; exec sleep 600; }'}"
                    .formatted(mark, mark)));
    await().atMost(Sandbox.PATIENCE).until(() -> Files.exists(mark));
    run.awaitText("begin");

    sandbox.killDaemon();
    sandbox.killHosts();
    sandbox.serve();

    // The same cursor goes on: it is queued again, claimed and executed.
    run.awaitText("[succeeded]");
    assertThat(run.text()).isEqualTo("[running]begin\n[queued][running]begin\n[succeeded]");
    assertThat(run.status).isEqualTo("succeeded");
  }

  @Test
  void concurrency_model() {
    var go = sandbox.folder().resolve("go");
    var spawn = "{'action':'spawn','session_id':'%s','command':'%s'}";
    var first =
        new Reader(shell(spawn.formatted("one", "until [ -e " + go + " ]; do sleep 0.05; done")));
    var second = new Reader(shell(spawn.formatted("one", "echo second")));
    first.awaitText("[running]");
    assertThat(second.text()).isEmpty();
    assertThat(second.status).isEqualTo("queued");

    // Only a run that executes beside the first can let it end.
    var other = over(new Reader(shell(spawn.formatted("two", "touch " + go))));

    assertThat(other.path("status").stringValue("")).isEqualTo("succeeded");
    assertThat(time(over(second), "started_at")).isAfterOrEqualTo(time(over(first), "finished_at"));
  }

  @Test
  void watcher_flow_to_the_backlog() {
    var run =
        new Reader(
            shell(
                "{'action':'spawn','session_id':'watched','command':'echo fine; echo no disk >&2;"
                    + " exec sleep 600','watch':[{'regex':'no \\\\w+','event':'failing','scope':'stderr'}]}"));

    run.awaitText("[failing]");
    var meta =
        Json.read(
            run.event("failing")
                .path("meta_json")
                .stringValue("")
                .getBytes(StandardCharsets.UTF_8));
    assertThat(meta.path("run_id").stringValue("")).isEqualTo(run.runId);
    assertThat(meta.path("stream").stringValue("")).isEqualTo("stderr");
    assertThat(meta.path("regex").stringValue("")).isEqualTo("no \\w+");
    var inbox = client.inbox(new SessionId("watched"));
    var notice = inbox.read(null, 10, Duration.ofSeconds(10)).getFirst();
    assertThat(notice.text("task_id")).isEqualTo(run.runId);
    assertThat(notice.text("event")).isEqualTo("failing");
    assertThat(notice.text("snippet")).contains("no disk");
    shell("{'action':'kill','run_id':'%s'}".formatted(run.runId));
    assertThat(over(run).path("status").stringValue("")).isEqualTo("canceled");
  }

  @Test
  void wait_on_conditions() {
    var run =
        new Reader(
            shell(
                "{'action':'spawn','session_id':'waits','command':'echo warm; echo ready; exec sleep"
                    + " 600','watch':[{'regex':'^ready','event':'up','once':true}]}"));

    run.awaitText("[up]");
    assertThat(run.status).isEqualTo("running");
    var killed = shell("{'action':'kill','run_id':'%s'}".formatted(run.runId));
    assertThat(killed.path("run_id").stringValue("")).isEqualTo(run.runId);
    run.awaitText("[canceled]");

    assertThat(run.text())
        .startsWith("[running]")
        .contains("warm\n")
        .contains("[cancel_requested]");
    assertThat(run.text()).containsOnlyOnce("[up]").endsWith("[canceled]");
  }

  @Test
  void polling_goes_on_where_it_was_when_the_daemon_was_killed() throws Exception {
    var run =
        new Reader(
            shell(
                "{'action':'spawn','session_id':'polled','command':"
                    + "'for i in $(seq 40); do echo ä$i; sleep 0.1; done'}"));
    run.awaitText("[running]");
    sandbox.killDaemon();
    sandbox.serve();
    run.awaitText("[succeeded]");

    var expected = new StringBuilder();
    for (var i = 1; i <= 40; i++) {
      expected.append('ä').append(i).append('\n');
    }
    assertThat(run.text()).isEqualTo("[running]" + expected + "[succeeded]");
  }

  @Test
  void a_terminal_takes_keys_and_a_kill_reaches_the_whole_tree() {
    var run =
        new Reader(
            shell(
                "{'action':'spawn','session_id':'typed','pty':true,"
                    + "'command':'cat | cat & wait; cat'}"));
    var typed =
        shell("{'action':'send_keys','run_id':'%s','keys':['hi','Enter']}".formatted(run.runId));
    assertThat(typed.path("bytes_written").intValue(0)).isEqualTo(3);

    shell("{'action':'kill','run_id':'%s'}".formatted(run.runId));

    assertThat(over(run).path("status").stringValue("")).isEqualTo("canceled");
    var status = client.status(new TaskId(run.runId)).text();
    assertThat(Json.read(status.getBytes(StandardCharsets.UTF_8)).path("survivors")).isEmpty();
  }
}
