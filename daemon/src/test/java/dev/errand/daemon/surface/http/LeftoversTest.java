package dev.errand.daemon.surface.http;

import static dev.errand.daemon.surface.http.Surface.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.errand.core.task.Exit;
import dev.errand.core.task.TaskId;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Everything that tells of an end tells what became of processes that the task left. */
final class LeftoversTest {
  private static final String ENDED =
      "2 background processes that it left were ended: 7 (sleep 600), 8 (httpd)";

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

  private TaskId exited(Exit.Leftovers leftovers) throws IOException {
    var answer = tools.structured("task_spawn", "{'command':'make'}");
    var taskId = new TaskId(answer.path("task_id").stringValue(""));
    surface.hosts.start(taskId);
    surface.hosts.exit(taskId, 0, null, leftovers);
    return taskId;
  }

  private TaskId killing() throws IOException {
    return exited(
        new Exit.Leftovers(
            false,
            "killed",
            List.of(7L, 8L),
            List.of(),
            List.of(new Exit.Leftover(7, 70, "sleep 600"), new Exit.Leftover(8, 80, "httpd"))));
  }

  private TaskId keeping() throws IOException {
    return exited(
        new Exit.Leftovers(
            false, "kept", List.of(), List.of(7L), List.of(new Exit.Leftover(7, 70, "sleep 600"))));
  }

  @Test
  void the_status_has_the_word_the_pids_and_the_commands() throws IOException {
    var status = json(surface.get("/tasks/" + killing()));

    assertThat(status.path("leftover").stringValue("")).isEqualTo("killed");
    assertThat(status.path("killed").toString()).isEqualTo("[7,8]");
    assertThat(status.path("leftover_processes").toString())
        .isEqualTo(
            "[{\"pid\":7,\"start_ticks\":70,\"command\":\"sleep 600\"},"
                + "{\"pid\":8,\"start_ticks\":80,\"command\":\"httpd\"}]");
  }

  @Test
  void the_notice_says_it_in_words_and_fields() throws IOException {
    var spawned =
        surface.spawn(
            "{\"tool\":\"bash\",\"args\":{\"command\":\"make\"},\"session_id\":\"other\"}");
    surface.hosts.start(spawned);
    surface.hosts.exit(
        spawned, 0, null, new Exit.Leftovers(false, "killed", List.of(9L), List.of()));

    var notice = json(surface.get("/sessions/other/inbox")).path(0);
    assertThat(notice.path("leftover").stringValue("")).isEqualTo("killed");
    assertThat(notice.path("killed").toString()).isEqualTo("[9]");
    assertThat(notice.path("text").stringValue(""))
        .contains("\nNote: 1 background process that it left was ended: 9; to keep such a process");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "task_status;{'task_id':'%s'}",
        "task_join;{'task_id':'%s'}",
        "task_kill;{'task_id':'%s'}",
        "background_output;{'task_id':'%s'}",
        "tool.task_status;{'task_id':'%s'}",
        "tool.task_cancel;{'task_id':'%s'}",
        "shell;{'action':'poll','run_id':'%s'}",
        "shell;{'action':'log','run_id':'%s'}",
        "shell;{'action':'kill','run_id':'%s'}",
      })
  void every_tool_says_it_in_words_once(String tool, String arguments) throws IOException {
    var taskId = killing();

    assertThat(tools.text(tool, arguments.formatted(taskId))).containsOnlyOnce(ENDED);
  }

  @Test
  void tools_tell_programs_the_word_and_the_pids() throws IOException {
    var taskId = killing();

    for (var tool : List.of("task_join", "background_output", "tool.task_status")) {
      var answer = tools.structured(tool, "{'task_id':'" + taskId + "'}");
      assertThat(answer.path("leftover").stringValue("")).as(tool).isEqualTo("killed");
      assertThat(answer.path("killed").toString()).as(tool).isEqualTo("[7,8]");
    }
  }

  @Test
  void a_cancel_of_a_task_that_is_over_ends_what_it_was_allowed_to_leave() throws IOException {
    var taskId = keeping();
    var before = surface.lastSeq(taskId);

    var answer = surface.post("/tasks/" + taskId + "/cancel", "");

    assertThat(answer.status()).isEqualTo(200);
    assertThat(json(answer).path("status").stringValue("")).isEqualTo("exited");
    assertThat(surface.hosts.applied()).containsExactly("end kept [7]");
    assertThat(surface.lastSeq(taskId)).isEqualTo(before);
  }

  @ParameterizedTest
  @ValueSource(strings = {"task_kill", "background_cancel", "tool.task_cancel"})
  void tools_that_end_tasks_do_so_too(String tool) throws IOException {
    var taskId = keeping();

    tools.call(tool, "{'task_id':'" + taskId + "'}");

    assertThat(surface.hosts.applied()).containsExactly("end kept [7]");
  }

  @Test
  void a_cancel_of_a_batch_does_so_too() throws IOException {
    var taskId =
        surface.spawn(
            "{\"tool\":\"bash\",\"args\":{\"command\":\"make\"},\"batch_id\":\"b\",\"session_id\":\"s\"}");
    surface.hosts.start(taskId);
    surface.hosts.exit(taskId, 0, null, new Exit.Leftovers(false, "kept", List.of(), List.of(7L)));

    var answer = surface.post("/batches/b/cancel?session_id=s", "");

    assertThat(answer.status()).isEqualTo(200);
    assertThat(surface.hosts.applied()).containsExactly("end kept []");
  }

  @Test
  void a_cancel_of_a_task_that_left_nothing_does_nothing() throws IOException {
    surface.post("/tasks/" + killing() + "/cancel", "");

    assertThat(surface.hosts.applied()).isEmpty();
  }
}
