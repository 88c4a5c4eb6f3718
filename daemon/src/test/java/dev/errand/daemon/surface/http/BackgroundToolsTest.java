package dev.errand.daemon.surface.http;

import static dev.errand.daemon.surface.http.Surface.code;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskId;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The scenarios of the background contract that need no agent, each under its name. */
final class BackgroundToolsTest {
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

  private JsonNode launch(String more) throws IOException {
    return tools.structured(
        "background_task", "{'description':'build','command':'make'" + more + "}");
  }

  private TaskId running(String more) throws IOException {
    var taskId = new TaskId(text(launch(more), "id"));
    surface.hosts.start(taskId);
    return taskId;
  }

  private static String text(JsonNode node, String name) {
    return node.path(name).stringValue("");
  }

  private static String id(TaskId taskId) {
    return "{'task_id':'" + taskId + "'}";
  }

  @Test
  void launch_background_task() throws IOException {
    var answer = tools.answer("background_task", "{'description':'build','command':'make -j2'}");

    var task = answer.path("structured");
    assertThat(text(task, "id")).hasSize(36);
    assertThat(text(task, "status")).isEqualTo("running");
    assertThat(text(task, "description")).isEqualTo("build");
    assertThat(text(task, "command")).isEqualTo("make -j2");
    assertThat(text(task, "parentSessionID")).isEqualTo("cli");
    assertThat(text(answer, "text"))
        .startsWith(
            "⏳ **Background task launched**\nTask ID: `" + text(task, "id").substring(0, 18) + "`")
        .contains("background_output");
  }

  @Test
  void a_launch_that_is_repeated_with_its_key_starts_nothing_twice() throws IOException {
    var body = "{\"description\":\"d\",\"command\":\"make\"}";

    var first = surface.keyed("POST", "/tools/background_task", "k", body);
    var second = surface.keyed("POST", "/tools/background_task", "k", body);

    assertThat(first.status()).isEqualTo(200);
    assertThat(Surface.json(second)).isEqualTo(Surface.json(first));
    assertThat(tools.structured("background_list", "{}").path("tasks")).hasSize(1);
  }

  @Test
  void initial_resume_count() throws IOException {
    assertThat(launch("").path("resumeCount").longValue(-1)).isZero();
  }

  @Test
  void track_task_completion() throws IOException {
    var taskId = running("");
    surface.hosts.write(taskId, LogStream.STDOUT, "done\n");
    surface.hosts.exit(taskId, 0, null);

    var task = tools.structured("background_output", id(taskId));

    assertThat(text(task, "status")).isEqualTo("completed");
    assertThat(text(task, "completedAt")).isEqualTo("1970-01-01T00:00:02Z");
    assertThat(text(task, "result")).isEqualTo("done\n(exit code 0)");
    assertThat(task.has("error")).isFalse();
  }

  @Test
  void completion_sends_notification_to_parent_session_with_full_result() throws IOException {
    var taskId = running("");
    var whole = "ä".repeat(99) + "\n";
    surface.hosts.write(taskId, LogStream.STDOUT, whole.repeat(300));
    surface.hosts.exit(taskId, 0, null);
    var longer = running("");
    surface.hosts.write(longer, LogStream.STDOUT, whole.repeat(400));
    surface.hosts.exit(longer, 0, null);
    var notices = Surface.json(surface.get("/sessions/cli/inbox"));

    assertThat(text(notices.path(0), "snippet")).isEqualTo(whole.repeat(300));
    assertThat(text(notices.path(1), "snippet").getBytes(UTF_8)).hasSizeBetween(65_500, 65_536);
    assertThat(text(notices.path(0), "text"))
        .contains("\nResult:\n" + ("  " + whole).repeat(300) + "Use background_output(");
    assertThat(notices.path(0).path("truncated").booleanValue()).isFalse();
    assertThat(text(notices.path(1), "text")).contains("\nThe end of its result:\n  ä");
    assertThat(notices.path(1).path("truncated").booleanValue()).isTrue();

    var digest = surface.get("/sessions/cli/inbox", Map.of("Accept", "text/plain")).text();
    assertThat(digest)
        .hasSizeBetween(15_000, 16_384)
        .containsOnlyOnce("\nSummary: ä")
        .containsOnlyOnce("\nThe end of its result:\n  ä");
  }

  @Test
  void handle_task_errors() throws IOException {
    var taskId = running("");
    surface.hosts.write(taskId, LogStream.STDERR, "no rule\n");
    surface.hosts.exit(taskId, 2, null);

    var answer = tools.answer("background_output", id(taskId));

    assertThat(text(answer.path("structured"), "status")).isEqualTo("error");
    assertThat(text(answer.path("structured"), "error")).isEqualTo("exit code 2");
    assertThat(text(answer, "text")).startsWith("**Task Failed**").contains("no rule");
  }

  @Test
  void cancel_running_tasks() throws IOException {
    var taskId = running("");
    var cancelled = tools.begin("background_cancel", id(taskId));
    await().until(() -> surface.hosts.applied().contains("cancel background_cancel"));
    assertThat(cancelled).isNotDone();
    surface.hosts.exit(taskId, 143, "cancel");

    var task = cancelled.join().path("structured").path("tasks").path(0);
    assertThat(text(task, "status")).isEqualTo("cancelled");
    assertThat(text(task, "resultRetrievedAt")).isNotEmpty();
    await().untilAsserted(() -> assertThat(surface.reads()).containsExactly(taskId + " cli"));
    assertThat(tools.text("background_output", id(taskId))).startsWith("**Task Cancelled**");
  }

  @Test
  void retrieve_completed_task_results() throws IOException {
    var taskId = running("");
    surface.hosts.exit(taskId, 0, null);

    var task = tools.structured("background_output", id(taskId));

    assertThat(text(task, "resultRetrievedAt")).isNotEmpty();
    await().untilAsserted(() -> assertThat(surface.reads()).containsExactly(taskId + " cli"));
  }

  @Test
  void check_running_task_status() throws IOException {
    var taskId = running("");
    surface.hosts.write(taskId, LogStream.STDOUT, "step 1\n");

    var answer = tools.answer("background_output", id(taskId));

    assertThat(text(answer.path("structured"), "status")).isEqualTo("running");
    assertThat(answer.path("structured").has("result")).isFalse();
    assertThat(text(answer, "text"))
        .startsWith("# ⏳ Task Status")
        .contains("| Last line | step 1 |")
        .contains("## Command\n\n    make");
    assertThat(surface.reads()).isEmpty();
  }

  @Test
  void task_persistence() throws IOException {
    var ended = running("");
    surface.hosts.exit(ended, 0, null);
    var other = running("");

    var cleared = tools.answer("background_clear", "{}");

    assertThat(cleared.path("structured").path("cleared").longValue()).isEqualTo(1);
    assertThat(text(cleared, "text")).isEqualTo("Cleared 1 tasks; 1 run on.");
    assertThat(code(tools.call("background_output", id(ended)))).isEqualTo("TASK_REMOVED");
    assertThat(text(tools.structured("background_output", id(other)), "status"))
        .isEqualTo("running");
  }

  @Test
  void monitor_task_progress() throws IOException {
    var taskId = running("");
    surface.hosts.write(taskId, LogStream.STDOUT, "10%\r20%\r");

    var progress = tools.structured("background_output", id(taskId)).path("progress");

    assertThat(progress.path("toolCalls").longValue(-1)).isZero();
    assertThat(progress.path("lastTools")).isEmpty();
    assertThat(text(progress, "lastLine")).isEqualTo("20%");
    assertThat(progress.path("bytes").path("stdout").longValue()).isEqualTo(8);
    assertThat(text(progress, "lastUpdate")).startsWith("20");
  }

  @Test
  void group_related_tasks() throws IOException {
    var first = launch("");
    var second = launch("");
    var other = launch(",'batch_id':'mine'");

    assertThat(text(first, "batchId")).matches("batch_\\d+").isEqualTo(text(second, "batchId"));
    assertThat(text(other, "batchId")).isEqualTo("mine");
    var listed = tools.structured("background_list", "{'batch_id':'mine'}").path("tasks");
    assertThat(listed).hasSize(1);
  }

  @Test
  void a_batch_is_looked_at_and_cancelled_as_a_whole() throws IOException {
    var first = running(",'batch_id':'b'");
    var second = running(",'batch_id':'b'");
    var other = running(",'batch_id':'c'");

    var tasks = tools.structured("background_output", "{'batch_id':'b'}").path("tasks");
    assertThat(tasks).hasSize(2);
    var cancelled = tools.begin("background_cancel", "{'batch_id':'b'}");
    await().until(() -> surface.hosts.applied().size() == 2);
    surface.hosts.exit(first, 143, "cancel");
    surface.hosts.exit(second, 143, "cancel");

    assertThat(cancelled.join().path("structured").path("tasks"))
        .allMatch(it -> text(it, "status").equals("cancelled"));
    assertThat(text(tools.structured("background_output", id(other)), "status"))
        .isEqualTo("running");
    assertThat(tools.refusal("background_cancel", "{'batch_id':'nothing'}"))
        .contains("no batch of this name");
  }

  @Test
  void what_an_answer_about_a_batch_has_no_room_for_is_not_read() throws IOException {
    for (var i = 0; i < 60; i++) {
      surface.hosts.exit(running(",'batch_id':'b'"), 0, null);
    }

    var tasks = tools.structured("background_cancel", "{'batch_id':'b'}").path("tasks");

    assertThat(tasks.size()).isBetween(5, 59);
    await().untilAsserted(() -> assertThat(surface.reads()).hasSize(tasks.size()));
  }

  @Test
  void an_answer_about_a_batch_shows_its_newest_tasks_and_counts_all() throws IOException {
    var oldest = running(",'batch_id':'b'");
    surface.hosts.exit(oldest, 1, null);
    for (var i = 0; i < 100; i++) {
      surface.hosts.exit(running(",'batch_id':'b'"), 0, null);
    }

    for (var tool : new String[] {"background_output", "background_cancel", "task_wait"}) {
      var answer = tools.answer(tool, "{'batch_id':'b'}");
      var batch = answer.path("structured");
      assertThat(batch.path("total").intValue()).as(tool).isEqualTo(101);
      var shown = batch.path("tasks").size();
      assertThat(shown).as(tool).isBetween(5, 100);
      assertThat(batch.path("more").intValue()).as(tool).isEqualTo(101 - shown);
      assertThat(answer.toString()).as(tool).doesNotContain(oldest.value());
      assertThat(text(answer, "text")).as(tool).contains(101 - shown + " more are not shown");
    }
    assertThat(surface.reads()).doesNotContain(oldest + " cli");
  }

  @Test
  void a_batch_says_how_it_stands_and_is_waited_for_until_any_or_all_are_over() throws IOException {
    var first = running(",'batch_id':'b'");
    var second = running(",'batch_id':'b'");
    var open = tools.structured("background_output", "{'batch_id':'b'}");
    assertThat(text(open, "status")).isEqualTo("running");
    assertThat(open.path("counts").path("running").longValue()).isEqualTo(2);
    var any = tools.begin("background_output", "{'batch_id':'b','block':true,'mode':'any'}");
    var all = tools.begin("background_output", "{'batch_id':'b','block':true}");

    surface.hosts.exit(first, 0, null);
    var one = any.join().path("structured");
    assertThat(one.path("timedOut").booleanValue(true)).isFalse();
    assertThat(one.path("counts").path("completed").longValue()).isEqualTo(1);
    assertThat(all).isNotDone();
    surface.hosts.exit(second, 2, null);

    var both = all.join();
    assertThat(text(both.path("structured"), "status")).isEqualTo("error");
    assertThat(text(both, "text"))
        .startsWith("Batch `b` is error. **Total: 2** (0 running, 1 completed, 1 error,");
    assertThat(tools.call("background_output", "{'batch_id':'b','mode':'any'}").status())
        .isEqualTo(400);
  }

  @Test
  void wait_for_the_end_with_block() throws IOException {
    var taskId = running("");
    var answer = tools.begin("background_output", "{'task_id':'" + taskId + "','block':true}");
    surface.hosts.exit(taskId, 0, null);
    assertThat(text(answer.join().path("structured"), "status")).isEqualTo("completed");

    var other = running("");
    var arguments = "{'task_id':'" + other + "','block':true,'timeout':0.01}";
    assertThat(tools.structured("background_output", arguments).path("timedOut").booleanValue())
        .isTrue();
    assertThat(tools.call("background_output", arguments.replace("0.01", "601")).status())
        .isEqualTo(400);
  }

  @Test
  void no_indicator_for_new_tasks() throws IOException {
    running("");

    assertThat(tools.text("background_list", "{}"))
        .contains("| Task ID | Description | Agent | Status | Duration |")
        .contains("| build | command | ⏳ running |")
        .doesNotContain("resumed");
  }

  @Test
  void a_list_counts_all_that_match_and_not_only_those_it_shows() throws IOException {
    for (var i = 0; i < 12; i++) {
      surface.hosts.exit(running(""), i < 5 ? 1 : 0, null);
    }
    running("");

    var list = tools.answer("background_list", "{'limit':2}");
    assertThat(list.path("structured").path("tasks")).hasSize(2);
    assertThat(list.path("structured").path("total").longValue()).isEqualTo(13);
    assertThat(text(list, "text"))
        .endsWith(
            "**Total: 13** (1 running, 7 completed, 5 error, 0 cancelled); 11 more are not shown,"
                + " give limit (100 at most)");
    var failed = tools.structured("background_list", "{'status':'error','limit':1}");
    assertThat(failed.path("tasks")).hasSize(1);
    assertThat(failed.path("total").longValue()).isEqualTo(5);
  }

  @Test
  void a_list_shows_those_of_one_status() throws IOException {
    var ended = running("");
    surface.hosts.exit(ended, 0, null);
    running("");

    var completed = tools.structured("background_list", "{'status':'completed'}").path("tasks");
    assertThat(completed).hasSize(1);
    assertThat(text(completed.path(0), "id")).isEqualTo(ended.value());
    assertThat(tools.structured("background_list", "{'status':'running'}").path("tasks"))
        .hasSize(1);
    assertThat(tools.structured("background_list", "{'status':'resumed'}").path("tasks")).isEmpty();
    assertThat(tools.call("background_list", "{'status':'done'}").status()).isEqualTo(400);
  }

  @Test
  void a_task_is_found_by_the_beginning_of_its_id_as_the_list_shows_it() throws IOException {
    var taskId = running("");
    running("");
    var list = tools.text("background_list", "{}");
    var shown =
        list.lines()
            .filter(it -> it.startsWith("| `"))
            .map(it -> it.substring(3, it.indexOf('`', 3)))
            .toList();

    assertThat(shown).hasSize(2).doesNotHaveDuplicates();
    var answer = tools.structured("background_output", "{'task_id':'" + shown.getLast() + "'}");
    assertThat(text(answer, "id")).isEqualTo(taskId.value());
  }

  @Test
  void a_task_that_is_not_there_is_named() throws IOException {
    assertThat(tools.refusal("background_output", "{'task_id':'bg_12345678'}"))
        .isEqualTo("Task not found: bg_12345678");
    assertThat(tools.refusal("background_cancel", "{'task_id':'0198ffff'}"))
        .isEqualTo("Task not found: 0198ffff");
  }

  @Test
  void agents_are_refused_with_what_can_be_done_instead() throws IOException {
    assertThat(
            tools.refusal("background_task", "{'description':'d','prompt':'p','agent':'general'}"))
        .contains("no agent is configured");
    assertThat(tools.refusal("background_task", "{'resume':'x','prompt':'p'}"))
        .contains("no agent is configured");
  }
}
