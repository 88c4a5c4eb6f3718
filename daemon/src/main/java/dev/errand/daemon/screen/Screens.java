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
import dev.errand.core.time.Time;
import dev.errand.daemon.compute.Job;
import dev.errand.daemon.compute.Share;
import dev.errand.daemon.output.LogStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The screens of terminal tasks, rendered on request.
 *
 * <p>A few emulators at the end of their task's record are kept, so that repeated requests cost
 * only what is new. Others are kept on disk every few megabytes; an earlier moment is rendered from
 * the last one before it. All of them can be deleted at any time: the truth is in the frames and
 * the log.
 */
public final class Screens implements CommitListener, AutoCloseable {
  /** Less than this is cheaper to render again than to keep on disk. */
  private static final long WORTH_KEEPING_BYTES = 256 * 1024;

  /** What may be spent on screens; {@code docs/reference/config.md} describes each. */
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
  private final Time clock;
  private final LiveScreens live;
  private @Nullable Thread idler;

  /** Tasks that are not over are found by {@code tasks}. */
  public Screens(
      Journal journal,
      FrameCodec codec,
      LogStore logs,
      Path folder,
      Limits limits,
      Function<TaskId, Optional<Snapshot>> tasks,
      Time clock) {
    this(new JournalRecording(journal, codec), logs, new KeptScreens(folder), limits, tasks, clock);
  }

  Screens(
      Recording recording,
      LogStore logs,
      KeptScreens kept,
      Limits limits,
      Function<TaskId, Optional<Snapshot>> tasks,
      Time clock) {
    this.tasks = tasks;
    this.recording = recording;
    this.logs = logs;
    this.kept = kept;
    this.limits = limits;
    this.clock = clock;
    this.live = new LiveScreens(limits.liveMax(), limits.idle(), this::keepIfWorth, clock);
  }

  /** Drops unused emulators from now on; without it they are dropped when others come. */
  public void start() {
    idler = Thread.ofVirtual().name("screens-idle").start(this::leaveIdle);
  }

  private void leaveIdle() {
    try {
      while (true) {
        clock.sleep(limits.idle());
        live.leaveIdle();
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * The screen after that frame, or after the last one if none is given. If rendering takes too
   * long, the result is what was reached; it names its frame.
   */
  public Screen at(Share share, TaskId taskId, @Nullable Long seq) throws InterruptedException {
    return view(share, taskId, seq, false).screen();
  }

  /** The same, if wanted with the lines before it. */
  public View view(Share share, TaskId taskId, @Nullable Long seq, boolean withHistory)
      throws InterruptedException {
    var last = recording.lastSeq(taskId);
    if (last < 0) {
      throw new ErrandException(ErrorCode.TASK_NOT_FOUND, "there is no task of this id");
    }
    if (seq != null) {
      PastEnd.checkSeq("at_seq", seq, last);
    }
    var rendered =
        seq == null || (seq == last && !isStoredAhead(taskId))
            ? new Renderer(taskId, last, withHistory, live.place(taskId))
            : new Renderer(taskId, seq, withHistory, null);
    share.run(rendered);
    return rendered.view();
  }

  /** Whether the screen now has more than its frames. */
  private boolean isStoredAhead(TaskId taskId) {
    return tasks.apply(taskId).filter(it -> !it.pending().isEmpty()).isPresent();
  }

  /**
   * Renders one screen, in steps. Between two steps other renderings may continue with the same
   * emulator if it is kept; their work need not be repeated.
   */
  private final class Renderer implements Job {
    private final TaskId taskId;
    private final long seq;
    private final boolean withHistory;

    /** The kept emulator; null for an earlier moment, which has one of its own. */
    private final LiveScreens.@Nullable Place place;

    private @Nullable Rendering own;
    private @Nullable Script script;
    private boolean isRead;
    private long deadlineNanos;
    private @Nullable View view;

    private Renderer(
        TaskId taskId, long seq, boolean withHistory, LiveScreens.@Nullable Place place) {
      this.taskId = taskId;
      this.seq = seq;
      this.withHistory = withHistory;
      this.place = place;
    }

    View view() {
      return Objects.requireNonNull(view, "rendered");
    }

    @Override
    public boolean goOn(long untilNanos) {
      if (place == null) {
        return render(untilNanos);
      }
      place.lock();
      try {
        own = place.rendering() == null ? own : place.rendering();
        var done = render(untilNanos);
        if (own != null) {
          place.put(own);
        }
        return done;
      } finally {
        place.unlock();
      }
    }

    /** Renders on; false where the time was over before. */
    private boolean render(long untilNanos) {
      if (!readOn(untilNanos)) {
        return false;
      }
      var read = Objects.requireNonNull(script, "read");
      if (own == null) {
        own = Rendering.begin(Objects.requireNonNull(read.firstSize(), "a spawned frame"));
      }
      var rendering = own;
      var bounds =
          new Rendering.Bounds(
              limits.renderBytesMax(), untilNanos, it -> keepSometimes(taskId, it), clock);
      var played = rendering.play(read, taskId, logs, bounds);
      var done = played && (place == null || showStored(rendering, untilNanos));
      if (!done && clock.ticks() - deadlineNanos < 0) {
        return false;
      }
      if (!played) {
        kept.keep(taskId, rendering);
      }
      var screen = rendering.screen();
      var history = withHistory ? rendering.history() : List.<String>of();
      view = new View(done ? screen : screen.at(screen.seq(), true), history);
      return true;
    }

    /**
     * Reads the frames, from where the emulator is or the newest one on disk was; false where the
     * time was over before.
     */
    private boolean readOn(long untilNanos) {
      if (script == null) {
        own = own == null ? kept.newest(taskId, seq).orElse(null) : own;
        script = new Script(own == null ? -1 : own.seq());
      }
      while (!isRead) {
        isRead = script.readOn(recording, taskId, seq);
        deadlineNanos = clock.ticks() + limits.renderTime().toNanos();
        if (!isRead && clock.ticks() - untilNanos >= 0) {
          return false;
        }
      }
      return true;
    }

    /** Adds what is stored and waits for its frame; false where the time was over before. */
    private boolean showStored(Rendering rendering, long untilNanos) {
      var end =
          tasks
              .apply(taskId)
              .filter(it -> it.lastSeq() == rendering.seq())
              .map(it -> it.pending().end(LogStream.PTY, 0))
              .orElse(0L);
      var bounds = new Rendering.Bounds(limits.renderBytesMax(), untilNanos, _ -> {}, clock);
      return end <= rendering.offset() || rendering.playAhead(end, taskId, logs, bounds);
    }
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

  /** Keeps on disk what would be expensive to render again. */
  @Override
  public void close() {
    var open = idler;
    if (open != null) {
      open.interrupt();
    }
    live.close();
  }
}
