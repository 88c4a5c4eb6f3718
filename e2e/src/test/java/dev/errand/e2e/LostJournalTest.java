package dev.errand.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.errand.core.task.TaskId;
import dev.errand.wire.client.ErrandClient;
import dev.errand.wire.client.NewTask;
import dev.errand.wire.json.JsonFields;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A journal is gone, cut or put back from a backup: nobody starts with what is left in silence. */
@Timeout(180)
final class LostJournalTest {
  private static final int TASKS = 120;

  private static final String LASTING = "echo begun; exec sleep 1000";

  @Test
  void a_journal_that_is_gone_is_named_and_begun_anew_only_on_request() throws Exception {
    try (var sandbox = Sandbox.create()) {
      sandbox.up();
      TaskId task;
      long pid;
      try (var client = sandbox.client()) {
        task = client.spawn(NewTask.shell(LASTING));
        Sandbox.awaitOutput(client, task);
        pid = Objects.requireNonNull(client.status(task).pid());
      }
      await().atMost(Sandbox.PATIENCE).until(() -> tasksNoted(sandbox) == 1);
      sandbox.killDaemon();
      sandbox.removeJournal();

      var refused = sandbox.errand("up");

      assertThat(refused.code()).isEqualTo(4);
      assertThat(refused.err())
          .contains("is gone", "about 1 tasks", "errand recover --new-journal");
      assertThat(sandbox.errand("adopt").code()).isEqualTo(4);
      assertThat(sandbox.errand("serve", "--read-only").code()).isEqualTo(1);
      assertThat(sandbox.home().database()).doesNotExist();
      var doctor = sandbox.errand("doctor");
      assertThat(doctor.code()).isEqualTo(1);
      assertThat(doctor.out()).contains("is gone");
      assertThat(sandbox.errand("recover").succeeded().out())
          .contains("is missing", "/" + task.value(), "runs unknown task", "kill -- -" + pid);
      assertThat(Sandbox.isAlive(pid)).isTrue();

      var begun = sandbox.errand("recover", "--new-journal").succeeded();

      assertThat(begun.err()).contains("1 of about 1 tasks are gone from the journal");
      assertThat(Sandbox.isAlive(pid)).isTrue();
      sandbox.errand("restart").succeeded();
      assertThat(sandbox.errand("doctor").out()).contains("tasks are gone from the journal");
      sandbox.errand("recover", "--accept").succeeded();
      assertThat(sandbox.errand("doctor").out()).doesNotContain("tasks are gone");
    }
  }

  @Test
  void an_older_journal_is_refused_and_goes_on_by_adopting_it() throws Exception {
    try (var sandbox = Sandbox.create()) {
      sandbox.up();
      try (var client = sandbox.client()) {
        var lasting = client.spawn(NewTask.shell(LASTING));
        Sandbox.awaitOutput(client, lasting);
        var pid = Objects.requireNonNull(client.status(lasting).pid());
        sandbox.errand("down").succeeded();
        var backup = sandbox.folder().resolve("backup.db");
        Files.copy(sandbox.home().database(), backup);
        sandbox.up();
        client.waitEnd(client.spawn(NewTask.shell("echo later")), Sandbox.PATIENCE);
        sandbox.errand("down").succeeded();
        Files.copy(backup, sandbox.home().database(), StandardCopyOption.REPLACE_EXISTING);

        var refused = sandbox.errand("up");

        assertThat(refused.code()).isEqualTo(4);
        assertThat(refused.err())
            .contains("is older", "has 1 of about 2 tasks", "errand recover", "errand adopt");
        assertThat(sandbox.errand("doctor").out()).contains("is older");
        assertThat(sandbox.errand("recover").succeeded().out())
            .contains("1 task of about 2", "of 1 task that the journal does not know");
        assertThat(Sandbox.isAlive(pid)).isTrue();

        assertThat(sandbox.errand("adopt").succeeded().err())
            .contains("1 of about 2 tasks are gone from the journal");

        assertThat(client.status(lasting).fields().text("error")).isEqualTo("lost");
        assertThat(Sandbox.isAlive(pid)).isTrue();
        sandbox.errand("restart").succeeded();
      }
    }
  }

  @Test
  void a_journal_that_was_cut_starts_with_what_is_left_and_says_so() throws Exception {
    try (var sandbox = Sandbox.create()) {
      sandbox.up();
      try (var client = sandbox.client()) {
        spawnMany(client);
        sandbox.errand("down").succeeded();
        var database = sandbox.home().database();
        try (var file = FileChannel.open(database, StandardOpenOption.WRITE)) {
          file.truncate(file.size() / 2 + 100);
        }
        assertThat(sandbox.errand("recover").succeeded().out()).contains("cannot be read");
        assertThat(sandbox.errand("doctor").code()).isEqualTo(1);

        var started = sandbox.errand("up").succeeded();

        var gone = "of about " + TASKS + " tasks are gone from the journal";
        assertThat(started.err()).contains(gone);
        assertThat(sandbox.errand("doctor").out()).contains(gone);
        assertThat(sandbox.errand("recover").succeeded().out())
            .contains("errand.db.damaged-", "that the journal does not know");
        assertThat(sandbox.errand("restart").succeeded().err()).contains(gone);
      }
    }
  }

  @Test
  void tasks_that_were_removed_are_not_missed() throws Exception {
    try (var sandbox = Sandbox.create()) {
      sandbox.up();
      try (var client = sandbox.client()) {
        client.waitEnd(client.spawn(NewTask.shell("true")), Sandbox.PATIENCE);
      }
      sandbox.errand("rm", "--ended").succeeded();
      sandbox.errand("down").succeeded();
      assertThat(tasksNoted(sandbox)).isEqualTo(1);

      assertThat(sandbox.errand("up").succeeded().err()).doesNotContain("gone");
      assertThat(sandbox.home().loss()).doesNotExist();
    }
  }

  private static void spawnMany(ErrandClient client) throws InterruptedException {
    var tasks = new ArrayList<TaskId>();
    for (var i = 0; i < TASKS; i++) {
      tasks.add(client.spawn(NewTask.shell("seq 1 1000")));
    }
    for (var task : tasks) {
      client.waitEnd(task, Sandbox.PATIENCE);
    }
  }

  private static long tasksNoted(Sandbox sandbox) throws IOException {
    return JsonFields.of(Files.readAllBytes(sandbox.home().identity())).number("tasks", 0);
  }
}
