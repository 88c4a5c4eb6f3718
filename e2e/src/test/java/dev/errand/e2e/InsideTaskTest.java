package dev.errand.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskId;
import dev.errand.wire.client.NewTask;
import dev.errand.wire.client.TaskFilter;
import dev.errand.wire.client.TaskStatus;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A process inside a task acts as that task, however it tries to look like someone else. */
final class InsideTaskTest extends DaemonCase {
  /** Runs a line inside a task of the session "inner", to its end. */
  private static TaskStatus inside(String line) {
    var id = client.spawn(NewTask.shell(line).session("inner"));
    return client.waitEnd(id, Sandbox.PATIENCE);
  }

  private static String ask(String method, String target, String body) {
    return Ask.line(sandbox.home().socket(), method, target, body);
  }

  private static String outputOf(TaskStatus task) {
    var part = client.output(task.taskId(), LogStream.STDOUT, 0, 1 << 20);
    return new String(part.bytes(), StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "%s",
        "env -i PATH=\"$PATH\" %s",
        "env -i PATH=\"$PATH\" setsid -w %s",
        "env -i PATH=\"$PATH\" ERRAND_TASK_ID=0192d1b4-0000-7000-8000-000000000000 setsid -w %s"
      })
  void it_is_known_by_its_task(String disguise) {
    var body = "{\"tool\":\"exec\",\"args\":{\"argv\":[\"true\"]}}";
    var outer = inside(disguise.formatted(ask("POST", "/tasks", body)));

    var reply = outputOf(outer);
    var inner = reply.replaceAll("(?s).*\"task_id\":\"([^\"]+)\".*", "$1");
    var spawned = client.history(new TaskId(inner), -1).next();
    assertThat(spawned).isNotNull();
    assertThat(spawned.text()).contains("\"by\":\"task:" + outer.taskId() + "\"");
    assertThat(client.status(new TaskId(inner)).sessionId()).isEqualTo("inner");
  }

  @Test
  void a_process_that_is_gone_before_anybody_looks_is_not_taken_for_a_person() throws Exception {
    var go = sandbox.folder().resolve("go");
    var gone = sandbox.folder().resolve("gone");
    var body = "{\"tool\":\"exec\",\"args\":{\"argv\":[\"true\"]},\"label\":\"fired\"}";
    var line =
        "until [ -e '%s' ]; do sleep 0.02; done; env -i %s; touch '%s'"
            .formatted(go, Ask.lineAndGo(sandbox.home().socket(), "POST", "/tasks", body), gone);
    var asking = client.spawn(NewTask.shell(line).session("inner"));
    await().atMost(Sandbox.PATIENCE).until(() -> client.status(asking).status().equals("running"));
    var daemon = Long.toString(sandbox.daemonPid());

    new ProcessBuilder("kill", "-STOP", daemon).start().waitFor();
    try {
      Files.createFile(go);
      await().atMost(Sandbox.PATIENCE).until(() -> Files.exists(gone));
    } finally {
      new ProcessBuilder("kill", "-CONT", daemon).start().waitFor();
    }

    await()
        .atMost(Sandbox.PATIENCE)
        .until(() ->
            Files.readString(sandbox.home().daemonLog())
                .contains("refused: unix POST /tasks -> 403"));
    assertThat(client.list(TaskFilter.ALL.label("fired")).tasks()).isEmpty();
  }

  @Test
  void what_a_removed_task_left_behind_may_do_nothing() throws Exception {
    var go = sandbox.folder().resolve("removed");
    var said = sandbox.folder().resolve("said");
    var left =
        "until [ -e '%s' ]; do sleep 0.02; done; %s > '%s'"
            .formatted(go, ask("POST", "/admin/gc", ""), said);
    var line = "setsid env -i sh -c \"%s\" < /dev/null > /dev/null 2>&1 &".formatted(left);
    var id = client.spawn(NewTask.shell(line).leftover("keep").session("inner"));
    client.waitEnd(id, Sandbox.PATIENCE);
    client.remove(id);

    Files.createFile(go);

    await()
        .atMost(Sandbox.PATIENCE)
        .until(() -> Files.exists(said) && Files.readString(said).contains("\r\n\r\n{"));
    assertThat(Files.readString(said)).contains(" 403 ", "is not known here any more");
  }

  @Test
  void what_it_starts_in_another_session_is_in_reach_of_its_own() {
    var body = "{\"tool\":\"exec\",\"args\":{\"argv\":[\"true\"]},\"session_id\":\"elsewhere\"}";
    var outer = inside(ask("POST", "/tasks", body));

    var inner = outputOf(outer).replaceAll("(?s).*\"task_id\":\"([^\"]+)\".*", "$1");
    assertThat(client.status(new TaskId(inner)).sessionId()).isEqualTo("elsewhere");
    assertThat(listed("inner")).contains(inner, outer.taskId().value());
    assertThat(listed("elsewhere")).containsExactly(inner);
  }

  private static List<String> listed(String session) {
    var answer = client.tools().call("task_list", new byte[] {'{', '}'}, session, null);
    return answer
        .object("structured")
        .node()
        .path("tasks")
        .valueStream()
        .map(it -> it.path("task_id").stringValue(""))
        .toList();
  }

  @Test
  void it_may_neither_stop_the_daemon_nor_make_tokens() {
    var outer =
        inside(
            ask("POST", "/admin/shutdown", "")
                + "; "
                + ask("POST", "/tokens", "{\"name\":\"t\"}")
                + "; "
                + ask("GET", "/tokens", ""));

    assertThat(outputOf(outer).split("\"code\":\"FORBIDDEN\"", -1)).hasSize(4);
    assertThat(client.tokens().list()).hasSize(1);
    assertThat(client.isReady()).isTrue();
  }

  @Test
  void the_command_line_finds_its_daemon_inside_a_task_and_works_in_the_tasks_session()
      throws Exception {
    var errand = Checkout.ROOT.resolve("errand");
    var outer =
        client.waitEnd(
            client.spawn(
                NewTask.shell("ERRAND_NO_BUILD=1 '%s' spawn -n inner-one -- true".formatted(errand))
                    .session("inner")),
            Sandbox.PATIENCE);

    assertThat(outer.exitCode()).isEqualTo(0);
    var listed = sandbox.errand("ls", "--json", "--label", "inner-one").json();
    assertThat(listed.path("session_id").stringValue()).isEqualTo("inner");
  }
}
