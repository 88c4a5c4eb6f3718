package dev.errand.daemon.maintenance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskState;
import dev.errand.daemon.artifact.ArtifactStore;
import dev.errand.daemon.compute.DirectShare;
import dev.errand.daemon.config.Config;
import dev.errand.daemon.engine.EngineFixture;
import dev.errand.daemon.output.FileLogStore;
import dev.errand.daemon.store.Durability;
import dev.errand.daemon.task.ResultReads;
import dev.errand.daemon.task.Sessions;
import dev.errand.host.log.LogFolders;
import dev.errand.host.log.LogReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CleanupTest {
  private static final Duration WEEK = Duration.ofDays(7);

  private final EngineFixture fixture = new EngineFixture();
  private final Path folder;
  private final ArtifactStore artifacts;
  private final FileLogStore logs;
  private boolean missed;

  CleanupTest(@TempDir Path folder) {
    this.folder = folder;
    fixture.clock.set(Instant.now());
    this.artifacts =
        new ArtifactStore(folder.resolve("artifacts"), Durability.NORMAL, fixture.clock);
    var root = folder.resolve("logs");
    this.logs = new FileLogStore(new LogReader(root), new LogFolders(root));
    fixture.engine.subscribe(new LogRemoval(logs));
  }

  private Cleanup.Report clean(long totalBytesMax) {
    var builds = new OldBuilds(folder.resolve("builds"), folder.resolve("hosts"), "own");
    var limits = new Config.Output(1 << 20, WEEK, totalBytesMax);
    var files = new Cleanup.Files(artifacts, logs, builds, () -> missed);
    return new Cleanup(
            fixture.engine,
            fixture.journal,
            files,
            () -> limits,
            () -> Duration.ofHours(24),
            age -> fixture.clock.millis() - age.toMillis())
        .run();
  }

  @Test
  void a_result_is_kept_until_a_while_after_it_was_read() throws Exception {
    var unread = fixture.ended();
    var read = fixture.ended();
    markRead(read);

    fixture.clock.advance(WEEK.minusMinutes(1));
    assertThat(clean(1 << 20).tasks()).isZero();

    fixture.clock.advance(Duration.ofMinutes(2));
    assertThat(clean(1 << 20).tasks()).isEqualTo(1);
    assertThat(fixture.state(read)).isInstanceOf(TaskState.Absent.class);
    assertThat(fixture.journal.tombstone(read).orElseThrow().reason())
        .isEqualTo("read more than 7d ago");
    assertThat(fixture.state(unread)).isInstanceOf(TaskState.Ended.class);
  }

  @Test
  void results_of_an_ended_session_go_a_day_later_read_or_not() throws Exception {
    var running = fixture.running();
    var ended = fixture.ended();
    var sessions = new Sessions(fixture.engine, fixture.journal, fixture.clock);
    sessions.end(EngineFixture.SESSION, "cli", null);

    fixture.clock.advance(Duration.ofHours(23));
    assertThat(clean(1 << 20).tasks()).isZero();
    fixture.clock.advance(Duration.ofHours(2));
    assertThat(clean(1 << 20).tasks()).isEqualTo(1);

    assertThat(fixture.state(ended)).isInstanceOf(TaskState.Absent.class);
    assertThat(fixture.state(running)).isInstanceOf(TaskState.Running.class);
    assertThat(sessions.show(EngineFixture.SESSION).endedAtMs()).isPositive();
  }

  @Test
  void an_ended_session_without_tasks_is_forgotten() throws Exception {
    fixture.ended();
    var sessions = new Sessions(fixture.engine, fixture.journal, fixture.clock);
    sessions.end(EngineFixture.SESSION, "cli", null);

    fixture.clock.advance(Duration.ofHours(25));
    assertThat(clean(1 << 20).tasks()).isEqualTo(1);

    assertThat(sessions.find(EngineFixture.SESSION)).isEmpty();
  }

  @Test
  void over_the_budget_the_oldest_results_go_first_and_live_tasks_stay() throws Exception {
    var running = fixture.running();
    var oldest = fixture.ended();
    var newest = fixture.ended();

    assertThat(clean(15).tasks()).isEqualTo(1);
    assertThat(fixture.state(oldest)).isInstanceOf(TaskState.Absent.class);
    assertThat(fixture.state(newest)).isInstanceOf(TaskState.Ended.class);
    assertThat(fixture.state(running)).isInstanceOf(TaskState.Running.class);
  }

  @Test
  void logs_go_with_their_task_and_logs_of_nobody_go_too() throws Exception {
    var kept = fixture.running();
    var removed = fixture.ended();
    var nobodys = fixture.ids.nextTask();
    for (var taskId : new TaskId[] {kept, removed, nobodys}) {
      writeLog(taskId);
    }

    fixture.engine.remove(removed, "test", "ann", null).orThrow();
    assertThat(logs.total(removed, LogStream.STDOUT)).isZero();

    assertThat(clean(1 << 20).logs()).isEqualTo(1);
    assertThat(logs.total(nobodys, LogStream.STDOUT)).isZero();
    assertThat(logs.total(kept, LogStream.STDOUT)).isEqualTo(3);
  }

  @Test
  void what_nobody_explains_stays_while_tasks_are_missed() throws Exception {
    var lost = fixture.ids.nextTask();
    writeLog(lost);
    var stored =
        artifacts.put(DirectShare.INSTANCE, new ByteArrayInputStream(new byte[] {1, 2, 3}), 10);
    fixture.clock.advance(Duration.ofMinutes(11));
    missed = true;

    assertThat(clean(1 << 20).logs()).isZero();
    assertThat(logs.total(lost, LogStream.STDOUT)).isEqualTo(3);
    assertThat(artifacts.open(stored.sha256())).isPresent();

    missed = false;
    assertThat(clean(1 << 20).logs()).isEqualTo(1);
  }

  @Test
  void an_artifact_goes_when_nobody_refers_to_it_and_it_is_not_new() throws Exception {
    var stored =
        artifacts.put(DirectShare.INSTANCE, new ByteArrayInputStream(new byte[] {1, 2, 3}), 10);

    assertThat(clean(1 << 20).artifacts()).isZero();

    fixture.clock.advance(Duration.ofMinutes(11));
    assertThat(clean(1 << 20).artifacts()).isEqualTo(1);
    assertThat(artifacts.open(stored.sha256())).isEmpty();
  }

  @Test
  void a_build_stays_while_a_host_or_this_daemon_names_it() throws Exception {
    var hostFolder = Files.createDirectories(folder.resolve("hosts/h1"));
    Files.writeString(hostFolder.resolve("build"), "of-a-host");
    for (var name : new String[] {"own", "of-a-host", "old", "new"}) {
      Files.createFile(
          Files.createDirectories(folder.resolve("builds").resolve(name)).resolve("run"));
    }
    var longAgo = FileTime.from(fixture.clock.instant().minus(Duration.ofDays(2)));
    for (var name : new String[] {"own", "of-a-host", "old"}) {
      Files.setLastModifiedTime(folder.resolve("builds").resolve(name), longAgo);
    }

    assertThat(clean(1 << 20).builds()).isEqualTo(1);
    assertThat(folder.resolve("builds/old")).doesNotExist();
    assertThat(folder.resolve("builds/new")).exists();
  }

  private void markRead(TaskId taskId) {
    var marks = new ReadMarks(fixture.engine, fixture.journal, fixture.clock);
    marks.read(taskId, new ResultReads.Reader("ann", EngineFixture.SESSION));
    marks.read(taskId, new ResultReads.Reader("bob", EngineFixture.SESSION));
  }

  private void writeLog(TaskId taskId) throws IOException {
    var id = taskId.value();
    var root = folder.resolve("logs").resolve(id.substring(id.length() - 2)).resolve(id);
    var file = Files.createDirectories(root).resolve("stdout.%020d".formatted(0));
    Files.write(file, new byte[] {1, 2, 3});
    Files.setLastModifiedTime(
        file, FileTime.from(fixture.clock.instant().minus(Duration.ofHours(1))));
  }
}
