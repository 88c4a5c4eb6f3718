package dev.errand.daemon.screen;

import dev.errand.core.engine.CommitListener;
import dev.errand.core.engine.Snapshot;
import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.error.PastEnd;
import dev.errand.core.frame.FrameCodec;
import dev.errand.core.journal.EncodedFrame;
import dev.errand.core.journal.Journal;
import dev.errand.core.journal.StreamKey;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskState;
import dev.errand.daemon.output.LogStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The screens of terminal tasks, rendered when they are asked for.
 *
 * <p>A few emulators that stand at the end of their task's record are kept, so that who looks again
 * and again pays for what is new only. Others are kept on disk every few megabytes; a moment of the
 * past is rendered from the last one before it. All of it can be thrown away at any time: what is
 * true are the frames and the log.
 */
public final class Screens implements CommitListener, AutoCloseable {
  /** What is less than this costs less to render again than to keep on disk. */
  private static final long WORTH_KEEPING_BYTES = 256 * 1024;

  /** What may be spent on screens; {@code docs/reference/config.md} says what each is. */
  public record Limits(
      int liveMax, Duration idle, long keepEveryBytes, long renderBytesMax, Duration renderTime) {
    public static final Limits DEFAULTS =
        new Limits(32, Duration.ofMinutes(5), 4L << 20, 16L << 20, Duration.ofSeconds(5));
  }

  /** A screen, and the lines that scrolled off it and are still known. */
  public record View(Screen screen, List<String> history) {
    public View {
      history = List.copyOf(history);
    }
  }

  private final Recording recording;
  private final LogStore logs;
  private final KeptScreens kept;
  private final Limits limits;
  private final Function<TaskId, Optional<Snapshot>> tasks;
  private final LiveScreens live;
  private @Nullable Thread idler;

  /** Rendering is work for a processor, and others have some for it too. */
  private final Semaphore atOnce = new Semaphore(Runtime.getRuntime().availableProcessors());

  /** Tasks that are not over are found by {@code tasks}. */
  public Screens(
      Journal journal,
      FrameCodec codec,
      LogStore logs,
      Path folder,
      Limits limits,
      Function<TaskId, Optional<Snapshot>> tasks) {
    this(new JournalRecording(journal, codec), logs, new KeptScreens(folder), limits, tasks);
  }

  Screens(
      Recording recording,
      LogStore logs,
      KeptScreens kept,
      Limits limits,
      Function<TaskId, Optional<Snapshot>> tasks) {
    this.tasks = tasks;
    this.recording = recording;
    this.logs = logs;
    this.kept = kept;
    this.limits = limits;
    this.live = new LiveScreens(limits.liveMax(), limits.idle(), this::keepIfWorth);
  }

  /**
   * From now on emulators that nobody looks at are let go; without it they are when others come.
   */
  public void start() {
    idler = Thread.ofVirtual().name("screens-idle").start(this::leaveIdle);
  }

  private void leaveIdle() {
    try {
      while (true) {
        Thread.sleep(limits.idle());
        live.leaveIdle();
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * What is seen after that frame, or after the last one where none is named. Where rendering takes
   * too long, it answers with what it got to; the screen says which frame that is.
   */
  public Screen at(TaskId taskId, @Nullable Long seq) {
    return view(taskId, seq, false).screen();
  }

  /** The same, if wanted with the lines before it. */
  public View view(TaskId taskId, @Nullable Long seq, boolean withHistory) {
    var last = recording.lastSeq(taskId);
    if (last < 0) {
      throw new ErrandException(ErrorCode.TASK_NOT_FOUND, "there is no task of this id");
    }
    if (seq != null) {
      PastEnd.checkSeq("at_seq", seq, last);
    }
    if (seq == null || (seq == last && !isStoredAhead(taskId))) {
      return now(taskId, last, withHistory);
    }
    var rendering = kept.newest(taskId, seq).orElse(null);
    return render(taskId, rendering, seq, withHistory).view();
  }

  /** Whether the screen as it is now has more than its frames tell. */
  private boolean isStoredAhead(TaskId taskId) {
    return tasks.apply(taskId).filter(it -> !it.pending().isEmpty()).isPresent();
  }

  private View now(TaskId taskId, long last, boolean withHistory) {
    var place = live.place(taskId);
    place.lock();
    try {
      var known = place.rendering();
      var from = known != null ? known : kept.newest(taskId, last).orElse(null);
      var rendered = render(taskId, from, last, withHistory);
      place.put(rendered.rendering());
      return rendered.done() && showStored(taskId, rendered.rendering())
          ? view(rendered.rendering(), withHistory)
          : rendered.view();
    } finally {
      place.unlock();
    }
  }

  /** Adds what is stored and waits for its frame; false where there is nothing of that. */
  private boolean showStored(TaskId taskId, Rendering rendering) {
    var end =
        tasks
            .apply(taskId)
            .filter(it -> it.lastSeq() == rendering.seq())
            .map(it -> it.pending().end(LogStream.PTY, 0))
            .orElse(0L);
    return end > rendering.offset()
        && atOnce(() -> rendering.playAhead(end, taskId, logs, bounds(_ -> {})));
  }

  private static View view(Rendering rendering, boolean withHistory) {
    return new View(rendering.screen(), withHistory ? rendering.history() : List.of());
  }

  private record Rendered(Rendering rendering, View view, boolean done) {}

  private Rendered render(TaskId taskId, @Nullable Rendering from, long seq, boolean withHistory) {
    var script = Script.read(recording, taskId, from == null ? -1 : from.seq(), seq);
    var rendering =
        from != null
            ? from
            : Rendering.begin(Objects.requireNonNull(script.firstSize(), "a spawned frame"));
    var done = play(taskId, rendering, script);
    if (!done) {
      kept.keep(taskId, rendering);
    }
    var screen = rendering.screen();
    var shown = done ? screen : screen.at(screen.seq(), true);
    var history = withHistory ? rendering.history() : List.<String>of();
    return new Rendered(rendering, new View(shown, history), done);
  }

  private boolean play(TaskId taskId, Rendering rendering, Script script) {
    return atOnce(
        () -> rendering.play(script, taskId, logs, bounds(it -> keepSometimes(taskId, it))));
  }

  private boolean atOnce(BooleanSupplier rendering) {
    atOnce.acquireUninterruptibly();
    try {
      return rendering.getAsBoolean();
    } finally {
      atOnce.release();
    }
  }

  private Rendering.Bounds bounds(Consumer<Rendering> onProgress) {
    var deadline = System.nanoTime() + limits.renderTime().toNanos();
    return new Rendering.Bounds(limits.renderBytesMax(), deadline, onProgress);
  }

  private void keepSometimes(TaskId taskId, Rendering rendering) {
    if (rendering.bytesSinceKept() >= limits.keepEveryBytes()) {
      kept.keep(taskId, rendering);
    }
  }

  private void keepIfWorth(TaskId taskId, Rendering rendering) {
    if (rendering.bytesSinceKept() >= WORTH_KEEPING_BYTES && !rendering.isAhead()) {
      kept.keep(taskId, rendering);
    }
  }

  @Override
  public void advanced(StreamKey stream, List<EncodedFrame> frames) {}

  @Override
  public void removed(Snapshot last, TaskState.Ended state) {
    live.forget(last.taskId());
    kept.delete(last.taskId());
  }

  /** Keeps what would be costly to render again. */
  @Override
  public void close() {
    var open = idler;
    if (open != null) {
      open.interrupt();
    }
    live.close();
  }
}
