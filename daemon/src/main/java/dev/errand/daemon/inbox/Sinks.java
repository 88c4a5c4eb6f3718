package dev.errand.daemon.inbox;

import dev.errand.core.engine.CommitListener;
import dev.errand.core.engine.Snapshot;
import dev.errand.core.journal.EncodedFrame;
import dev.errand.core.journal.StreamKey;
import dev.errand.core.session.Notice;
import dev.errand.core.task.TaskState;
import java.util.List;

/** Tells all sinks what was committed. */
public final class Sinks implements CommitListener {
  private final NoticeViews views;
  private final List<Sink> sinks;

  public Sinks(NoticeViews views, List<Sink> sinks) {
    this.views = views;
    this.sinks = List.copyOf(sinks);
  }

  @Override
  public void advanced(StreamKey stream, List<EncodedFrame> frames) {}

  @Override
  public void noticed(Snapshot before, Snapshot after, List<Notice> notices) {
    if (after.state() instanceof TaskState.Present now) {
      var told = tell(now, notices);
      hint(before.state(), after, now, told);
    }
  }

  /** Of what there was a notice. */
  private record Noticed(boolean status, boolean hit) {}

  private Noticed tell(TaskState.Present now, List<Notice> notices) {
    var status = false;
    var hit = false;
    for (var notice : notices) {
      var subject = notice.subject();
      var word = views.word(now);
      var told =
          new Sink.Told(
              subject.sessionId(), subject.taskId(), word, notice, () -> views.snippet(notice));
      switch (notice.kind()) {
        case WATCHER, SILENCED -> {
          hit = true;
          sinks.forEach(it -> it.watcherHit(told));
        }
        case ENDED, STATE_CHANGED, WAITING_FOR_INPUT, READY -> {
          status = true;
          sinks.forEach(it -> it.statusChanged(told));
        }
      }
    }
    return new Noticed(status, hit);
  }

  /** What else happened, without a notice. */
  private void hint(TaskState before, Snapshot after, TaskState.Present now, Noticed noticed) {
    var taskId = after.taskId();
    var told =
        new Sink.Told(
            now.known().spec().origin().sessionId(),
            taskId,
            views.word(now),
            null,
            () -> views.snippet(taskId, after.lastSeq()));
    var then = before instanceof TaskState.Present it ? it : null;
    if (!noticed.status() && (then == null || moved(then, now))) {
      sinks.forEach(it -> it.statusChanged(told));
    }
    if (!noticed.hit()
        && then != null
        && !then.known().attended().hits().equals(now.known().attended().hits())) {
      sinks.forEach(it -> it.watcherHit(told));
    }
    if (then != null && bytes(now) > bytes(then)) {
      sinks.forEach(it -> it.output(told));
    }
  }

  /** Whether its status is another one, or it has become ready. */
  private boolean moved(TaskState.Present then, TaskState.Present now) {
    return !views.word(then).equals(views.word(now)) || (isReady(now) && !isReady(then));
  }

  private static boolean isReady(TaskState.Present state) {
    return state.known().attended().isReady();
  }

  private static long bytes(TaskState.Present state) {
    return state.known().logs().list().stream().mapToLong(it -> it.bytesTotal()).sum();
  }
}
