package dev.errand.core.engine;

import dev.errand.core.journal.EncodedFrame;
import dev.errand.core.journal.StreamKey;
import dev.errand.core.session.Notice;
import dev.errand.core.task.TaskState;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * All who want to know, told in the order in which they subscribed. What is committed is true
 * whoever fails at hearing of it: a bug in one listener is reported, and neither keeps the others
 * from being told nor reaches who submitted the command.
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
