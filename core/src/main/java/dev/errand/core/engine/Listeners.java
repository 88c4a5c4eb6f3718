package dev.errand.core.engine;

import dev.errand.core.journal.EncodedFrame;
import dev.errand.core.journal.StreamKey;
import dev.errand.core.session.Notice;
import dev.errand.core.task.TaskState;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** All who want to know, told in the order in which they subscribed. */
final class Listeners implements CommitListener {
  private final List<CommitListener> all = new CopyOnWriteArrayList<>();

  void add(CommitListener listener) {
    all.add(listener);
  }

  @Override
  public void advanced(StreamKey stream, List<EncodedFrame> frames) {
    for (var listener : all) {
      listener.advanced(stream, frames);
    }
  }

  @Override
  public void moved(Snapshot before, Snapshot after) {
    for (var listener : all) {
      listener.moved(before, after);
    }
  }

  @Override
  public void noticed(Snapshot before, Snapshot after, List<Notice> notices) {
    for (var listener : all) {
      listener.noticed(before, after, notices);
    }
  }

  @Override
  public void removed(Snapshot last, TaskState.Ended state) {
    for (var listener : all) {
      listener.removed(last, state);
    }
  }
}
