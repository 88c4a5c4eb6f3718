package dev.errand.daemon.task;

import static org.assertj.core.api.Assertions.assertThat;

import dev.errand.core.journal.TaskQuery;
import dev.errand.core.journal.TaskRow;
import dev.errand.core.task.QueuePlace;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskView;
import dev.errand.daemon.engine.EngineFixture;
import dev.errand.wire.json.Json;
import dev.errand.wire.json.JsonFrameCodec;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TaskViewsTest {
  private final EngineFixture fixture = new EngineFixture();
  private final Map<TaskId, QueuePlace> queue = new HashMap<>();
  private final Map<TaskId, List<TaskView.EscapedProcess>> escaped = new HashMap<>();
  private final TaskViews views =
      new TaskViews(
          fixture.engine,
          fixture.journal,
          new JsonFrameCodec(),
          asked -> {
            var found = new HashMap<>(queue);
            found.keySet().retainAll(asked);
            return found;
          },
          taskId -> escaped.getOrDefault(taskId, List.of()));

  @Test
  void a_queued_task_shows_its_place_and_what_it_waits_for() {
    var first = fixture.running();
    var second = fixture.queued();
    queue.put(second, new QueuePlace(3, QueuePlace.Reason.LANE, first, 0));

    assertThat(Json.read(views.status(second)).path("queue").toString())
        .isEqualTo(
            "{\"position\":3,\"reason\":\"lane\",\"behind\":\"%s\",\"until_ms\":null}"
                .formatted(first));
    assertThat(Json.read(views.status(first)).has("queue")).isFalse();
  }

  @Test
  void a_process_that_may_be_of_several_tasks_is_named_by_each_of_them_over_or_not() {
    var running = fixture.running();
    var ended = fixture.ended();
    var other = fixture.running();
    for (var it : List.of(running, ended)) {
      escaped.put(it, List.of(new TaskView.EscapedProcess(4711, "sleep")));
    }

    for (var it : List.of(running, ended)) {
      assertThat(Json.read(views.status(it)).path("escaped").toString())
          .isEqualTo("[{\"pid\":4711,\"name\":\"sleep\"}]");
    }
    assertThat(Json.read(views.status(other)).has("escaped")).isFalse();
  }

  @Test
  void a_list_shows_the_same() {
    var task = fixture.queued();
    queue.put(task, new QueuePlace(0, QueuePlace.Reason.DELAY, null, 77));
    fixture.ended();

    var rows = fixture.engine.rows(new TaskQuery(null, null, null, Set.of(), null, null, 9));
    var places = views.places(rows);

    assertThat(
            Json.read(views.status(rows.get(1), places))
                .path("queue")
                .path("until_ms")
                .longValue(0))
        .isEqualTo(77);
    assertThat(views.status(rows.get(1), places)).isEqualTo(views.status(task));
    assertThat(views.view(rows.get(1), places)).isEqualTo(views.view(task));
    assertThat(Json.read(views.status(rows.getFirst(), places)).has("queue")).isFalse();
  }

  @Test
  void a_label_means_the_newest_live_task_of_it_else_the_newest() {
    var live = fixture.running();
    var ended = fixture.ended();

    assertThat(views.labelled(EngineFixture.SESSION, "build").map(TaskRow::id)).contains(live);
    fixture.engine.submit(live, EngineFixture.report(EngineFixture.exited(4, 10)), null).orThrow();
    assertThat(views.labelled(EngineFixture.SESSION, "build").map(TaskRow::id)).contains(ended);
    assertThat(views.labelled(EngineFixture.SESSION, "none")).isEmpty();
  }
}
