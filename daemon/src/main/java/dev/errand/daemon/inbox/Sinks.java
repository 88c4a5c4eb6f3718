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
  public void noticed(List<Notice> notices) {
    for (var notice : notices) {
      var told = new Sink.Told(notice, () -> views.snippet(notice));
      for (var sink : sinks) {
        switch (notice.kind()) {
          case WATCHER, SILENCED -> sink.watcherHit(told);
          case ENDED, STATE_CHANGED, WAITING_FOR_INPUT, READY -> sink.statusChanged(told);
        }
      }
    }
  }

  @Override
  public void moved(Snapshot before, Snapshot after) {
    if (before.state() instanceof TaskState.Present then
        && after.state() instanceof TaskState.Present now
        && bytes(now) > bytes(then)) {
      var sessionId = now.known().spec().origin().sessionId();
      sinks.forEach(it -> it.output(sessionId, after.taskId()));
    }
  }

  private static long bytes(TaskState.Present state) {
    return state.known().logs().list().stream().mapToLong(it -> it.bytesTotal()).sum();
  }
}
