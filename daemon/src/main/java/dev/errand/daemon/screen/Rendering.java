package dev.errand.daemon.screen;

import dev.errand.core.error.ErrandException;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TerminalSize;
import dev.errand.core.time.Time;
import dev.errand.daemon.output.LogStore;
import dev.errand.daemon.screen.Script.Lost;
import dev.errand.daemon.screen.Script.Step;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;

/**
 * An emulator at a position in the record of its task, which it continues from. Used by one thread
 * at a time.
 */
final class Rendering {
  /** Small, so that the clock is read often: a few bytes can need much work. */
  private static final int READ_BYTES = 16 * 1024;

  private final TerminalSize firstSize;
  private final Emulator emulator;
  private long seq;
  private long reached;
  private long offset;
  private long keptAt;

  /** Where the stream ends by the frames that were played. */
  private long framed;

  private Rendering(TerminalSize firstSize, Emulator emulator, long seq, long offset) {
    this.firstSize = firstSize;
    this.emulator = emulator;
    this.seq = seq;
    this.reached = seq;
    this.offset = offset;
    this.keptAt = offset;
    this.framed = offset;
  }

  /** A terminal of which nothing is seen yet; its stream begins at that offset. */
  static Rendering begin(TerminalSize size) {
    return new Rendering(size, new Emulator(size.rows(), size.cols()), -1, 0);
  }

  long seq() {
    return seq;
  }

  /** The last frame of which anything is shown; later than {@link #seq} only within it. */
  long reached() {
    return reached;
  }

  long offset() {
    return offset;
  }

  Screen screen() {
    return emulator.screen(seq, offset);
  }

  List<String> history() {
    return emulator.history();
  }

  /** How much was rendered since this was last kept. */
  long bytesSinceKept() {
    return offset - keptAt;
  }

  void kept() {
    keptAt = offset;
  }

  /** Leaves out all before that offset, as if it were missing. */
  private void skipTo(long start) {
    if (start > offset) {
      emulator.missed();
      offset = start;
      keptAt = start;
    }
  }

  /** What one run may take, and a callback for its progress. */
  record Bounds(long bytesMax, long deadlineNanos, Consumer<Rendering> onProgress, Time clock) {
    boolean isLate() {
      return clock.ticks() - deadlineNanos > 0;
    }
  }

  /**
   * Runs the script from where it stopped; false if its time was over before its end, and it can be
   * called again.
   */
  boolean play(Script script, TaskId taskId, LogStore logs, Bounds bounds) {
    var start = script.end() - bounds.bytesMax();
    for (var step : script.stepsAfter(seq)) {
      if (bounds.isLate()) {
        return false;
      }
      reached = step.seq();
      switch (step) {
        case Step.Output(var _, var upTo) -> {
          framed = upTo;
          if (upTo > start) {
            skipTo(start);
            if (!feed(upTo, script.lost(), taskId, logs, bounds)) {
              return false;
            }
          }
        }
        case Step.Resize(var _, var size) -> emulator.resize(size.rows(), size.cols());
        case Step.Begin _ -> emulator.begin(firstSize.rows(), firstSize.cols());
      }
      seq = step.seq();
    }
    seq = Math.max(seq, script.lastSeq());
    reached = seq;
    return true;
  }

  /** Continues after the last frame, up to there; false if its time was over before. */
  boolean playAhead(long upTo, TaskId taskId, LogStore logs, Bounds bounds) {
    skipTo(upTo - bounds.bytesMax());
    return feed(upTo, List.of(), taskId, logs, bounds);
  }

  /** Whether bytes are shown that no frame has yet: such a state belongs to no frame. */
  boolean isAhead() {
    return offset > framed;
  }

  private boolean feed(long upTo, List<Lost> lost, TaskId taskId, LogStore logs, Bounds bounds) {
    while (offset < upTo) {
      if (bounds.isLate()) {
        return false;
      }
      var end = Math.min(upTo, passLost(upTo, lost));
      if (offset >= end) {
        continue;
      }
      var bytes = read(taskId, logs, end);
      var consumed = emulator.feed(bytes, 0, bytes.length);
      offset += consumed;
      bounds.onProgress().accept(this);
      var isAtEnd = offset + bytes.length - consumed >= upTo;
      if (consumed == 0 && isAtEnd) {
        // The start of something whose end comes with a later frame.
        return true;
      }
      if (consumed == 0) {
        emulator.missed();
        offset += bytes.length;
      }
    }
    return true;
  }

  /** Moves past a lost range that begins here; returns where the next one begins. */
  private long passLost(long upTo, List<Lost> lost) {
    var next = Long.MAX_VALUE;
    for (var range : lost) {
      if (offset >= range.from() && offset < range.to()) {
        emulator.missed();
        offset = Math.min(upTo, range.to());
      } else if (range.from() > offset) {
        next = Math.min(next, range.from());
      }
    }
    return next;
  }

  private byte[] read(TaskId taskId, LogStore logs, long end) {
    try {
      var bytes =
          logs.read(taskId, LogStream.PTY, offset, (int) Math.min(READ_BYTES, end - offset));
      if (bytes.length == 0) {
        emulator.missed();
        offset = end;
      }
      return bytes;
    } catch (ErrandException e) {
      offset = Math.min(end, LogStore.afterDropped(e));
      emulator.missed();
      return new byte[0];
    }
  }

  void write(DataOutputStream out) throws IOException {
    out.writeInt(firstSize.rows());
    out.writeInt(firstSize.cols());
    out.writeLong(seq);
    out.writeLong(offset);
    emulator.write(out);
  }

  static Rendering read(DataInputStream in) throws IOException {
    var firstSize = new TerminalSize(in.readInt(), in.readInt());
    var seq = in.readLong();
    var offset = in.readLong();
    return new Rendering(firstSize, Emulator.read(in), seq, offset);
  }
}
