package dev.errand.daemon.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.journal.Cursor;
import dev.errand.core.task.TaskId;
import dev.errand.daemon.engine.EngineFixture;
import dev.errand.wire.json.Json;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Ends of sessions, and tasks that come at the same moment. */
@Timeout(30)
final class SessionsTest {
  private final EngineFixture fixture = new EngineFixture();
  private final Sessions sessions = new Sessions(fixture.engine, fixture.journal, fixture.clock);

  @Test
  void a_task_that_comes_while_its_session_is_ended_stands_behind_the_end_and_opens_it() {
    fixture.ended();
    var ending = new CountDownLatch(1);
    var goOn = new CountDownLatch(1);
    fixture.journal.beforeCommit(batch -> {
      if (batch.sessions().stream().anyMatch(it -> it.atMs() > 0)) {
        ending.countDown();
        await(goOn);
      }
    });
    var end = CompletableFuture.runAsync(this::end);
    await(ending);
    var use = CompletableFuture.supplyAsync(this::spawn);
    assertThat(use).isNotDone();
    goOn.countDown();
    end.join();
    use.join();

    assertThat(endedAtMs()).isZero();
    assertThat(types()).endsWith("session_ended", "session_opened", "tool_task_spawned");
  }

  @Test
  void an_end_that_comes_while_a_task_is_on_its_way_stands_behind_it() {
    fixture.ended();
    var coming = new CountDownLatch(1);
    var goOn = new CountDownLatch(1);
    var use =
        CompletableFuture.supplyAsync(() ->
            sessions.use(
                EngineFixture.SESSION,
                "ann",
                null,
                () -> {
                  coming.countDown();
                  await(goOn);
                  return fixture.queued();
                }));
    await(coming);
    var end = CompletableFuture.runAsync(this::end);
    assertThat(end).isNotDone();
    goOn.countDown();
    use.join();
    end.join();

    assertThat(endedAtMs()).isPositive();
    assertThat(types()).endsWith("tool_task_spawned", "session_ended");
  }

  @Test
  void a_session_that_could_not_be_opened_stays_ended_and_is_opened_by_the_next() {
    fixture.ended();
    end();
    fixture.journal.beforeCommit(_ -> {
      throw new ErrandException(ErrorCode.INSUFFICIENT_STORAGE, "full");
    });
    assertThatThrownBy(this::spawn).hasMessage("full");
    assertThat(endedAtMs()).isPositive();

    fixture.journal.beforeCommit(_ -> {});
    spawn();
    assertThat(endedAtMs()).isZero();
  }

  @Test
  void the_folder_that_is_named_first_is_kept_through_a_restart(@TempDir Path folder) {
    var first = folder.toString();
    sessions.use(EngineFixture.SESSION, "ann", first, fixture::queued);
    sessions.use(EngineFixture.SESSION, "bob", folder.getRoot().toString(), fixture::queued);

    var again = new Sessions(fixture.engine, fixture.journal, fixture.clock);

    assertThat(sessions.show(EngineFixture.SESSION).folder()).isEqualTo(first);
    assertThat(again.show(EngineFixture.SESSION).folder()).isEqualTo(first);
    assertThat(types())
        .containsExactly("tool_task_spawned", "session_folder_set", "tool_task_spawned");
  }

  @Test
  void a_folder_that_could_not_be_recorded_is_not_set() {
    fixture.ended();
    fixture.journal.beforeCommit(_ -> {
      throw new ErrandException(ErrorCode.INSUFFICIENT_STORAGE, "full");
    });
    assertThatThrownBy(() -> sessions.use(EngineFixture.SESSION, "ann", "/", fixture::queued))
        .hasMessage("full");

    assertThat(sessions.show(EngineFixture.SESSION).folder()).isNull();
  }

  private void end() {
    sessions.end(EngineFixture.SESSION, "cli", null);
  }

  private TaskId spawn() {
    return sessions.use(EngineFixture.SESSION, "ann", null, fixture::queued);
  }

  private long endedAtMs() {
    return fixture.journal.session(EngineFixture.SESSION).orElseThrow().endedAtMs();
  }

  private List<String> types() {
    return fixture.journal.readAll(Cursor.START, 1_000).entries().stream()
        .map(it -> Json.read(it.frame().bytes()).path("type").stringValue(""))
        .toList();
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
