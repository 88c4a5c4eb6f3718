package dev.errand.core.engine;

import dev.errand.core.journal.EncodedFrame;
import dev.errand.core.journal.StreamKey;
import dev.errand.core.session.Notice;
import dev.errand.core.task.TaskState;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * The commit listeners, called in the order in which they subscribed. An exception in one listener
 * is reported; the other listeners are still called, and the submitter of the command does not see
 * it.
 */
final class Listeners implements CommitListener {
  private final List<CommitListener> all = new CopyOnWriteArrayList<>();
  private final ListenerFailure failure;

  Listeners(ListenerFailure failure) {
    this.failure = failure;
  }

  void add(CommitListener listener) {
    all.add(listener);
  }

  @Override
  public void advanced(StreamKey stream, List<EncodedFrame> frames) {
    each(it -> it.advanced(stream, frames));
  }

  @Override
  public void moved(Snapshot before, Snapshot after) {
    each(it -> it.moved(before, after));
  }

  @Override
  public void noticed(Snapshot before, Snapshot after, List<Notice> notices) {
    each(it -> it.noticed(before, after, notices));
  }

  @Override
  public void stored(Snapshot now) {
    each(it -> it.stored(now));
  }

  @Override
  public void removed(Snapshot last, TaskState.Ended state) {
    each(it -> it.removed(last, state));
  }

  private void each(Consumer<CommitListener> call) {
    for (var listener : all) {
      try {
        call.accept(listener);
      } catch (RuntimeException | Error bug) {
        failure.failed(listener, bug);
      }
    }
  }
}
