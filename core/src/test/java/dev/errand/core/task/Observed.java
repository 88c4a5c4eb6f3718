package dev.errand.core.task;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * All that has happened to one task, and the laws that hold for it. It knows nothing of deciding
 * and folding: it only looks at the events.
 */
final class Observed {
  private final List<TaskEvent> events = new ArrayList<>();
  private final Map<LogStream, Long> reached = new EnumMap<>(LogStream.class);
  private int attempts;
  private boolean open;
  private boolean held;
  private boolean started;
  private long lastRecord;
  private boolean merged;
  private boolean cancelAsked;
  private final Map<Integer, Long> hits = new HashMap<>();
  private final Map<Integer, Long> hitEnds = new HashMap<>();
  private final Set<Integer> silenced = new HashSet<>();
  private boolean ready;
  private boolean asking;
  private @Nullable End end;

  List<TaskEvent> events() {
    return events;
  }

  boolean isOver() {
    return end != null;
  }

  long reached(LogStream stream) {
    return reached.getOrDefault(stream, 0L);
  }

  void add(TaskEvent event) {
    assertThat(end).as("an event after the end: %s", event).isNull();
    assertThat(events.isEmpty()).isEqualTo(event instanceof TaskEvent.Spawned);
    if (!events.isEmpty() && events.getLast() instanceof TaskEvent.Cancelled) {
      assertThat(event).isInstanceOf(TaskEvent.Ended.class);
    }
    if (event instanceof TaskEvent.FromHost it) {
      assertThat(open).as("a host speaks without an attempt: %s", event).isTrue();
      assertThat(it.record()).isGreaterThanOrEqualTo(lastRecord);
      lastRecord = it.record();
    }
    look(event);
    events.add(event);
  }

  private void look(TaskEvent event) {
    switch (event) {
      case TaskEvent.Spawned it -> held = ApprovalDecider.isAsked(it.spec());
      case TaskEvent.Approved _ -> {
        assertThat(held).as("only what is held can be approved").isTrue();
        held = false;
      }
      case TaskEvent.Denied _ -> assertThat(held).as("only what is held can be denied").isTrue();
      case TaskEvent.Attempted it -> attempted(it.attempt());
      case TaskEvent.Started it -> {
        assertThat(started).isFalse();
        assertThat(it.attempt()).isEqualTo(attempts);
        started = true;
      }
      case TaskEvent.Output it -> {
        assertThat(it.offset()).as("output tiles its log").isEqualTo(reached(it.stream()));
        assertThat(it.bytes()).isPositive();
        reached.put(it.stream(), it.offset() + it.bytes());
        asking = false;
      }
      case TaskEvent.OutputMerged _ -> {
        assertThat(merged).isFalse();
        merged = true;
      }
      case TaskEvent.CancelRequested _ -> {
        assertThat(cancelAsked).isFalse();
        cancelAsked = true;
      }
      case TaskEvent.Requeued it -> {
        assertThat(open && it.attempt() == attempts).isTrue();
        assertThat(cancelAsked).as("what is to be cancelled is not run again").isFalse();
        ready = false;
        asking = false;
        open = false;
      }
      case TaskEvent.Ended it -> {
        assertThat(it.end() instanceof End.Cancelled)
            .isEqualTo(events.getLast() instanceof TaskEvent.Cancelled);
        assertThat(it.end() instanceof End.Denied)
            .isEqualTo(events.getLast() instanceof TaskEvent.Denied);
        end = it.end();
        open = false;
      }
      case TaskEvent.Unknown _ -> throw new AssertionError("decided what it does not know");
      case TaskEvent.OutputGap _,
          TaskEvent.OutputLost _,
          TaskEvent.Signalled _,
          TaskEvent.Resized _,
          TaskEvent.KillStepped _,
          TaskEvent.LimitPassed _,
          TaskEvent.ArtifactWritten _,
          TaskEvent.Cancelled _ -> {}
      case TaskEvent.WatcherHit it -> hit(it);
      case TaskEvent.WatcherSilenced it ->
          assertThat(silenced.add(it.watcher())).as("silenced once").isTrue();
      case TaskEvent.StdinWritten _ -> asking = false;
      case TaskEvent.PromptSeen _ -> {
        assertThat(started && open).as("nothing asks without a process").isTrue();
        assertThat(asking).as("a question is seen once").isFalse();
        asking = true;
      }
      case TaskEvent.BecameReady _ -> {
        assertThat(ready).as("ready once in each attempt").isFalse();
        ready = true;
      }
    }
  }

  private void hit(TaskEvent.WatcherHit hit) {
    assertThat(silenced).as("what is silenced hits no more").doesNotContain(hit.watcher());
    var count = hits.merge(hit.watcher(), hit.count(), Long::sum);
    assertThat(hit.hits()).as("every hit is counted").isEqualTo(count);
    var match = hit.match();
    if (match != null) {
      var before = hitEnds.put(hit.watcher(), match.end());
      assertThat(match.end()).as("no hit comes twice").isGreaterThan(before == null ? -1 : before);
    }
  }

  private void attempted(int number) {
    assertThat(open).as("one attempt at a time").isFalse();
    assertThat(held).as("nothing runs before it is approved").isFalse();
    assertThat(number).isEqualTo(attempts + 1);
    attempts = number;
    open = true;
    started = false;
    lastRecord = 0;
  }

  /** Whether the folded state says the same as the events do. */
  void agreesWith(TaskState state) {
    if (!(state instanceof TaskState.Present present)) {
      assertThat(events).isEmpty();
      return;
    }
    assertThat(state).isInstanceOf(expectedState());
    var facts = present.facts();
    assertThat(facts.frames()).isEqualTo(events.size());
    assertThat(facts.attempts()).isEqualTo(attempts);
    assertThat(facts.merged()).isEqualTo(merged);
    assertThat(facts.cancel() != null).isEqualTo(cancelAsked);
    assertThat(facts.watched().isReady()).isEqualTo(ready);
    hits.forEach(
        (watcher, count) -> assertThat(facts.watched().of(watcher).count()).isEqualTo(count));
    for (var log : facts.logs().list()) {
      assertThat(log.bytesTotal()).isGreaterThanOrEqualTo(reached(log.stream()));
      assertThat(log.end() != null || log.bytesTotal() == reached(log.stream())).isTrue();
    }
    if (state instanceof TaskState.Ended it) {
      assertThat(it.end()).isEqualTo(end);
    }
  }

  private Class<? extends TaskState> expectedState() {
    if (end != null) {
      return TaskState.Ended.class;
    }
    if (held) {
      return TaskState.Held.class;
    }
    if (!open) {
      return TaskState.Queued.class;
    }
    return started ? TaskState.Running.class : TaskState.Claimed.class;
  }
}
