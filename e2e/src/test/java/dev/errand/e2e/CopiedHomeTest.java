package dev.errand.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.errand.core.error.ErrandException;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskId;
import dev.errand.wire.client.NewTask;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A journal is opened in another home than its own: the tasks of the first one go on. */
@Timeout(180)
final class CopiedHomeTest {
  private static final String COMMAND = "echo begun; exec sleep 1000";

  private record Task(TaskId id, long pid) {}

  @Test
  void a_copied_journal_is_refused_and_adopted_without_a_hunt() throws Exception {
    try (var first = Sandbox.create();
        var second = Sandbox.create()) {
      first.serve();
      var task = running(first);
      for (var part : List.of("", "-wal")) {
        Files.copy(
            Path.of(first.home().database() + part), Path.of(second.home().database() + part));
      }

      var refused = second.errand("up");

      assertThat(refused.code()).isEqualTo(4);
      assertThat(refused.err())
          .contains("was written in another folder", "errand adopt", "errand serve --read-only");
      assertThat(Sandbox.isAlive(task.pid())).isTrue();

      second.errand("adopt").succeeded();

      assertLost(second, task);
      assertGoesOn(first, task);
      second.errand("restart").succeeded();
      assertGoesOn(first, task);
      assertThat(second.errand("adopt").err()).contains("a daemon runs in this home");
    }
  }

  @Test
  void a_copied_home_is_refused_and_can_be_read_and_adopted() throws Exception {
    try (var first = Sandbox.create();
        var second = Sandbox.create()) {
      first.serve();
      var task = running(first);
      copy(first, second);

      assertThat(second.errand("up").err()).contains("was written in another folder");

      var reader = second.serve(second.builder("serve", "--read-only"), _ -> true);
      try (var client = second.client()) {
        assertThat(client.status(task.id()).fields().text("status")).isEqualTo("running");
        assertThat(second.errand("logs", task.id().value()).line()).isEqualTo("begun");
        assertThatThrownBy(() -> client.spawn(NewTask.shell("true")))
            .isInstanceOf(ErrandException.class)
            .hasMessageContaining("read only");
      }
      assertThat(second.errand("adopt").err()).contains("read-only", "errand down");
      second.errand("down", "--all").succeeded();
      assertThat(reader.waitFor(Sandbox.PATIENCE)).isTrue();
      assertGoesOn(first, task);

      second.errand("adopt").succeeded();

      assertLost(second, task);
      assertGoesOn(first, task);
    }
  }

  /** As by a program that copies no sockets. */
  @Test
  void commands_in_a_copied_home_do_not_reach_the_daemon_of_the_first() throws Exception {
    try (var first = Sandbox.create();
        var second = Sandbox.create()) {
      first.serve();
      var task = running(first);
      copy(first, second);
      Files.delete(second.home().socket());

      assertThat(second.errand("ls").err()).contains("no daemon runs");
      var down = second.errand("down", "--all");
      assertThat(down.out() + down.err()).contains("no daemon runs");
      assertGoesOn(first, task);

      assertThat(second.errand("adopt").succeeded().out())
          .contains(second.home().socket().toString());
      assertGoesOn(first, task);
    }
  }

  @Test
  void a_renamed_home_works_as_before() throws Exception {
    try (var sandbox = Sandbox.create()) {
      sandbox.up();
      var taskId = sandbox.errand("spawn", "-c", "true").line();
      sandbox.errand("wait", taskId).succeeded();
      sandbox.errand("down", "--all").succeeded();
      var renamed = sandbox.folder().resolve("renamed");
      Files.move(sandbox.home().root(), renamed);
      try {
        var status = sandbox.builder("up");
        status.environment().put("ERRAND_HOME", renamed.toString());
        sandbox.finish(status).succeeded();
      } finally {
        var down = sandbox.builder("down", "--all");
        down.environment().put("ERRAND_HOME", renamed.toString());
        sandbox.finish(down).succeeded();
      }
    }
  }

  private static Task running(Sandbox sandbox) throws IOException {
    try (var client = sandbox.client()) {
      var taskId = client.spawn(NewTask.shell(COMMAND));
      Sandbox.awaitOutput(client, taskId);
      return new Task(taskId, Objects.requireNonNull(client.status(taskId).pid()));
    }
  }

  private static void copy(Sandbox from, Sandbox to) throws IOException, InterruptedException {
    var copied =
        new ProcessBuilder("cp", "-a", from.home().root() + "/.", to.home().root().toString())
            .inheritIO()
            .start();
    assertThat(copied.waitFor()).isZero();
  }

  private static void assertLost(Sandbox sandbox, Task task) {
    try (var client = sandbox.client()) {
      await()
          .atMost(Sandbox.PATIENCE)
          .until(() -> client.status(task.id()).fields().text("status").equals("failed"));
      assertThat(client.status(task.id()).fields().text("error")).isEqualTo("lost");
    }
  }

  private static void assertGoesOn(Sandbox sandbox, Task task) {
    assertThat(Sandbox.isAlive(task.pid())).isTrue();
    try (var client = sandbox.client()) {
      assertThat(client.status(task.id()).fields().text("status")).isEqualTo("running");
      assertThat(client.status(task.id()).bytesTotal(LogStream.STDOUT)).isPositive();
    }
  }
}
