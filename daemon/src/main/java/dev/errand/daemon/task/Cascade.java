package dev.errand.daemon.task;

import dev.errand.core.engine.CommitListener;
import dev.errand.core.engine.Engine;
import dev.errand.core.engine.Snapshot;
import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.frame.FrameCodec;
import dev.errand.core.journal.EncodedFrame;
import dev.errand.core.journal.StreamKey;
import dev.errand.core.journal.TaskRow;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskState;
import dev.errand.core.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Cancels the descendants of a cancelled task: the tasks that it started, and those that they
 * started. A task that ends in any other way leaves its descendants running.
 *
 * <p>Commits are noted in order and handled by one thread, so it does not matter whether the start
 * of a child or the cancel of its parent came first. At start each live child is checked, which
 * completes what a crash interrupted.
 */
public final class Cascade implements CommitListener, AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Cascade.class);
  private static final Duration RETRY_PAUSE = Duration.ofMillis(200);

  /** More than any task may have ancestors. */
  private static final int ANCESTORS_MAX = 100;

  private final BlockingQueue<Note> notes = new LinkedBlockingQueue<>();

  /** The ancestors of each live task that a task started. */
  private final Map<TaskId, List<TaskId>> ancestors = new HashMap<>();

  private final FrameCodec codec;
  private final Time clock;
  private @Nullable Thread worker;

  public Cascade(FrameCodec codec, Time clock) {
    this.codec = codec;
    this.clock = clock;
  }

  private sealed interface Note {
    record Born(TaskId taskId, TaskId parent) implements Note {}

    record Cancelled(TaskId taskId, String reason, String by) implements Note {}

    record Over(TaskId taskId) implements Note {}
  }

  /** Cancels a task; does nothing if it is over. */
  public interface Canceller {
    void cancel(TaskId taskId, String reason, String by);
  }

  /** Checks the live tasks, then follows the commits until it is closed. */
  public void start(Engine engine, Canceller canceller) {
    for (var snapshot : engine.live()) {
      if (snapshot.state() instanceof TaskState.Live it) {
        noteBirth(snapshot.taskId(), it);
      }
    }
    worker = Thread.ofVirtual().name("cascade").start(() -> run(engine, canceller));
  }

  @Override
  public void advanced(StreamKey stream, List<EncodedFrame> frames) {}

  @Override
  public void moved(Snapshot before, Snapshot after) {
    if (!(after.state() instanceof TaskState.Present now)) {
      return;
    }
    var taskId = after.taskId();
    if (before.state() instanceof TaskState.Absent) {
      noteBirth(taskId, now);
    }
    var cancel = now.facts().cancel();
    var isNew =
        !(before.state() instanceof TaskState.Present then) || then.facts().cancel() == null;
    if (cancel != null && isNew) {
      notes.add(new Note.Cancelled(taskId, cancel.reason(), cancel.by()));
    }
    if (now instanceof TaskState.Ended && now.facts().spec().plan().parent() != null) {
      notes.add(new Note.Over(taskId));
    }
  }

  private void noteBirth(TaskId taskId, TaskState.Present state) {
    var parent = state.facts().spec().plan().parent();
    if (parent != null) {
      notes.add(new Note.Born(taskId, parent));
    }
  }

  private void run(Engine engine, Canceller canceller) {
    try {
      while (true) {
        var note = notes.take();
        while (!tryCarryOut(note, engine, canceller)) {
          clock.sleep(RETRY_PAUSE);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Handles the note; false if it has to be tried again. */
  private boolean tryCarryOut(Note note, Engine engine, Canceller canceller) {
    try {
      switch (note) {
        case Note.Born it -> born(it, engine, canceller);
        case Note.Cancelled it -> cancelBelow(it, canceller);
        case Note.Over(var taskId) -> ancestors.remove(taskId);
      }
      return true;
    } catch (ErrandException e) {
      log.warn("cannot record the cancels that follow from {} yet: {}", note, e.getMessage());
      return false;
    } catch (RuntimeException bug) {
      log.error("a bug: the cancels that follow from {} are not done", note, bug);
      return true;
    }
  }

  private void born(Note.Born note, Engine engine, Canceller canceller) {
    var above = above(note.parent(), engine);
    ancestors.put(note.taskId(), above);
    for (var each : above) {
      var cancel = rowOf(each, engine).map(this::cancelOf).orElse(null);
      if (cancel != null) {
        cancel(note.taskId(), cancel, canceller);
        return;
      }
    }
  }

  private void cancelBelow(Note.Cancelled note, Canceller canceller) {
    var below = new ArrayList<TaskId>();
    ancestors.forEach((taskId, above) -> {
      if (above.contains(note.taskId())) {
        below.add(taskId);
      }
    });
    below.forEach(it -> cancel(it, note, canceller));
  }

  private static void cancel(TaskId taskId, Note.Cancelled above, Canceller canceller) {
    var reason = "task " + above.taskId() + ", which started it, was cancelled: " + above.reason();
    canceller.cancel(taskId, reason, above.by());
  }

  /** From the parent upwards; a task that was removed or cannot be read ends the chain. */
  private static List<TaskId> above(TaskId parent, Engine engine) {
    var all = new ArrayList<TaskId>();
    @Nullable TaskId next = parent;
    while (next != null && all.size() < ANCESTORS_MAX) {
      all.add(next);
      next = rowOf(next, engine).map(TaskRow::parent).orElse(null);
    }
    return all;
  }

  private static Optional<TaskRow> rowOf(TaskId taskId, Engine engine) {
    try {
      return engine.row(taskId);
    } catch (ErrandException e) {
      if (e.code() != ErrorCode.RECORD_DAMAGED) {
        throw e;
      }
      log.warn("cannot find out whether task {} was cancelled: {}", taskId, e.getMessage());
      return Optional.empty();
    }
  }

  private Note.@Nullable Cancelled cancelOf(TaskRow row) {
    if (!row.outcome().cancelRequested()) {
      return null;
    }
    var cancel = codec.readStatus(row.statusText()).facts().progress().cancel();
    return cancel == null ? null : new Note.Cancelled(row.id(), cancel.reason(), cancel.by());
  }

  @Override
  public void close() {
    var open = worker;
    if (open != null) {
      open.interrupt();
    }
  }
}
