package dev.errand.daemon.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.errand.core.session.Notice;
import dev.errand.core.task.Attention;
import dev.errand.core.task.SessionId;
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
  void a_sink_hears_of_output_hits_and_changes_of_state() {
    fixture.engine.subscribe(new Sinks(InboxFixture.views(fixture), List.of(new Noting())));
    var taskId = fixture.ids.nextTask();
    var watcher = new Watcher("seen", new WatchCondition.Prompt(), false);
    var attention = new Attention(Attention.Notify.STATE_CHANGES, List.of(watcher), null);
    var spec = EngineFixture.spec().attending(attention);
    submit(taskId, new TaskCommand.Spawn(spec, EngineFixture.HOST));
    submit(taskId, EngineFixture.report(EngineFixture.started()));
    submit(taskId, EngineFixture.report(EngineFixture.output(3, 0, 10)));
    var sighting = new TaskCommand.Watched.Sighting(0, null, "$ ", 1, null);
    submit(taskId, new TaskCommand.Watched(List.of(sighting)));
    submit(taskId, EngineFixture.report(EngineFixture.exited(4, 10)));

    assertThat(heard)
        .containsExactly("status STATE_CHANGED", "output", "watcher seen", "status ENDED");
  }

  private void submit(TaskId taskId, TaskCommand command) {
    fixture.engine.submit(taskId, command, null).orThrow();
  }

  private final class Noting implements Sink {
    @Override
    public void statusChanged(Told told) {
      heard.add("status " + kind(told));
    }

    @Override
    public void watcherHit(Told told) {
      heard.add("watcher " + told.notice().event());
    }

    @Override
    public void output(SessionId sessionId, TaskId taskId) {
      heard.add("output");
    }

    private static Notice.Kind kind(Told told) {
      return told.notice().kind();
    }
  }
}
