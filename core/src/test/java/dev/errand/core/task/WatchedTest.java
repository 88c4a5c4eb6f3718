package dev.errand.core.task;

import static dev.errand.core.task.Given.given;
import static dev.errand.core.task.Samples.attempted;
import static dev.errand.core.task.Samples.begun;
import static dev.errand.core.task.Samples.output;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What becomes of what watchers see. */
final class WatchedTest {
  private static final TaskEvent SPAWNED =
      new TaskEvent.Spawned(Samples.spec().attending(Samples.watching()));

  private static final TaskEvent TERMINAL =
      new TaskEvent.Spawned(Samples.onTerminal(Samples.spec()));

  @Test
  void a_hit_is_recorded_with_its_place_and_counted() {
    given(SPAWNED, attempted(1), begun())
        .when(watched(seen(0, match(10, 15)), seen(0, match(20, 25))))
        .then(hit(0, "error", match(10, 15), 1), hit(0, "error", match(20, 25), 2));
  }

  @Test
  void what_was_recorded_before_is_passed_over_when_it_is_seen_again() {
    given(SPAWNED, attempted(1), begun(), hit(0, "error", match(10, 15), 1))
        .when(watched(seen(0, match(10, 15)), seen(0, match(30, 31))))
        .then(hit(0, "error", match(30, 31), 2));
  }

  @Test
  void an_empty_line_at_the_very_start_counts_once() {
    given(SPAWNED, attempted(1), begun())
        .when(watched(seen(0, match(0, 0)), seen(0, match(0, 0))))
        .then(hit(0, "error", match(0, 0), 1));
  }

  @Test
  void each_stream_has_its_own_place() {
    var other = new TaskEvent.Match(LogStream.STDERR, 0, 5);
    given(SPAWNED, attempted(1), begun(), hit(0, "error", match(10, 15), 1))
        .when(watched(seen(0, other)))
        .then(hit(0, "error", other, 2));
  }

  @Test
  void a_watcher_that_looks_once_hits_once() {
    given(SPAWNED, attempted(1), begun())
        .when(watched(seen(1, null), seen(1, null)))
        .then(hit(1, "up", null, 1));
  }

  @Test
  void a_silenced_watcher_says_so_and_hits_no_more() {
    var silenced = new TaskCommand.Watched.Sighting(0, null, "", 1, "too many hits");
    given(SPAWNED, attempted(1), begun(), hit(0, "error", match(10, 15), 1))
        .when(watched(silenced, seen(0, match(40, 45)), silenced))
        .then(new TaskEvent.WatcherSilenced(0, "error", "too many hits", 1));
  }

  @Test
  void nobody_is_believed_who_speaks_of_a_watcher_that_is_not_there() {
    given(SPAWNED, attempted(1), begun())
        .when(watched(seen(7, null), seen(-1, null)))
        .thenNothing();
  }

  @Test
  void a_task_is_ready_once_and_has_to_become_so_anew_when_it_is_started_anew() {
    var ready = new TaskCommand.MarkReady("listens", 77);
    var again =
        given(SPAWNED, attempted(1), begun())
            .when(ready)
            .then(new TaskEvent.BecameReady("listens", 77))
            .when(ready)
            .thenNothing();

    assertThat(((TaskState.Live) again.state()).facts().watched().readyAtMs()).isEqualTo(77);
    given(
            SPAWNED,
            attempted(1),
            begun(),
            new TaskEvent.BecameReady("listens", 77),
            new TaskEvent.Requeued(1, "host_gone", List.of()),
            attempted(2),
            begun(2))
        .when(ready)
        .then(new TaskEvent.BecameReady("listens", 77));
  }

  @Test
  void a_prompt_is_recorded_once_until_it_is_answered_or_written_over() {
    var seen = new TaskCommand.SeePrompt("name? ", "high", 6, 77);
    var asked = new TaskEvent.PromptSeen("name? ", "high", 77);
    var typed =
        new TaskEvent.StdinWritten(
            4, new HostFact.StdinWrite("op", 2, false, false, null, "tester"));

    var asking =
        given(TERMINAL, attempted(1), begun(), output(3, LogStream.PTY, 0, 6))
            .when(seen)
            .then(asked)
            .when(seen)
            .thenNothing();

    assertThat(prompt(asking)).isEqualTo(new WatchProgress.Prompt("name? ", "high", 77));
    var past = List.of(TERMINAL, attempted(1), begun(), output(3, LogStream.PTY, 0, 6), asked);
    assertThat(prompt(given(and(past, typed)))).isNull();
    given(and(past, typed)).when(seen).then(asked);
    assertThat(prompt(given(and(past, output(4, LogStream.PTY, 6, 1))))).isNull();
    given(and(past, output(4, LogStream.PTY, 6, 1))).when(seen).thenNothing();
    assertThat(prompt(given(and(past, new TaskEvent.Requeued(1, "host_gone", List.of())))))
        .isNull();
  }

  private static TaskEvent[] and(List<TaskEvent> past, TaskEvent last) {
    return Stream.concat(past.stream(), Stream.of(last)).toArray(TaskEvent[]::new);
  }

  private static WatchProgress.@Nullable Prompt prompt(Given task) {
    return ((TaskState.Live) task.state()).facts().watched().prompt();
  }

  private static TaskCommand watched(TaskCommand.Watched.Sighting... sightings) {
    return new TaskCommand.Watched(List.of(sightings));
  }

  private static TaskCommand.Watched.Sighting seen(int watcher, TaskEvent.@Nullable Match match) {
    return new TaskCommand.Watched.Sighting(watcher, match, "x", 1, null);
  }

  private static TaskEvent.Match match(long offset, long end) {
    return new TaskEvent.Match(LogStream.STDOUT, offset, end);
  }

  private static TaskEvent hit(
      int watcher, String event, TaskEvent.@Nullable Match match, long hits) {
    return new TaskEvent.WatcherHit(watcher, event, match, "x", 1, hits);
  }
}
