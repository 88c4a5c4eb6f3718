package dev.errand.daemon.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.errand.core.task.Attention;
import dev.errand.core.task.TaskCommand;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.WatchCondition;
import dev.errand.core.task.Watcher;
import dev.errand.daemon.engine.EngineFixture;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a sink hears of a task's life. */
final class SinksTest {
  private final EngineFixture fixture = new EngineFixture();
  private final List<String> heard = new ArrayList<>();

  @Test
  void a_sink_hears_of_output_hits_and_changes_of_status() {
    live(Attention.Notify.STATE_CHANGES);

    assertThat(heard)
        .containsExactly(
            "status queued null",
            "status running STATE_CHANGED",
            "output running null",
            "watcher running WATCHER",
            "status running READY",
            "status exited ENDED");
  }

  @Test
  void a_sink_hears_the_same_of_a_silent_task_though_it_makes_no_notices() {
    live(Attention.Notify.SILENT);

    assertThat(heard)
        .containsExactly(
            "status queued null",
            "status running null",
            "output running null",
            "watcher running null",
            "status running null",
            "status exited null");
    assertThat(fixture.journal.unacknowledged(EngineFixture.SESSION)).isZero();
  }

  @Test
  void a_sink_hears_that_a_task_is_ready_though_only_its_end_makes_a_notice() {
    live(Attention.Notify.DONE_ONLY);

    assertThat(heard)
        .containsExactly(
            "status queued null",
            "status running null",
            "output running null",
            "watcher running WATCHER",
            "status running null",
            "status exited ENDED");
  }

  private void live(Attention.Notify tells) {
    fixture.engine.subscribe(new Sinks(InboxFixture.views(fixture), List.of(new Noting())));
    var taskId = fixture.ids.nextTask();
    var watcher = new Watcher("seen", new WatchCondition.Prompt(), false);
    var spec =
        EngineFixture.spec()
            .attending(new Attention(tells, List.of(watcher), new WatchCondition.Prompt()));
    submit(taskId, new TaskCommand.Spawn(spec, EngineFixture.HOST));
    submit(taskId, EngineFixture.report(EngineFixture.started()));
    submit(taskId, EngineFixture.report(EngineFixture.output(3, 0, 10)));
    var sighting = new TaskCommand.Watched.Sighting(0, null, "$ ", 1, null);
    submit(taskId, new TaskCommand.Watched(List.of(sighting)));
    submit(taskId, new TaskCommand.MarkReady("listens", 1));
    submit(taskId, new TaskCommand.MarkReady("listens", 2));
    submit(taskId, EngineFixture.report(EngineFixture.exited(4, 10)));
  }

  private void submit(TaskId taskId, TaskCommand command) {
    fixture.engine.submit(taskId, command, null).orThrow();
  }

  private final class Noting implements Sink {
    @Override
    public void statusChanged(Told told) {
      note("status", told);
    }

    @Override
    public void watcherHit(Told told) {
      note("watcher", told);
    }

    @Override
    public void output(Told told) {
      note("output", told);
    }

    private void note(String what, Told told) {
      var notice = told.notice();
      assertThat(told.sessionId()).isEqualTo(EngineFixture.SESSION);
      heard.add(what + " " + told.status() + " " + (notice == null ? null : notice.kind()));
    }
  }
}
