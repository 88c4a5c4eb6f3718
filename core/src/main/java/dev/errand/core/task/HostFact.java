package dev.errand.core.task;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One record of a host about an attempt, numbered by {@code n} from 1 without gaps. The records on
 * disk are authoritative; deciding a fact twice changes nothing.
 */
public sealed interface HostFact {
  int attempt();

  long n();

  record Started(int attempt, long n, ProcessIdentity process, long atMs) implements HostFact {}

  record NotStarted(int attempt, long n, String reason, String message, long atMs)
      implements HostFact {}

  /** The host will never start this attempt, because it was withdrawn before the start. */
  record Forgotten(int attempt, long n, long atMs) implements HostFact {}

  /** A fact about a log alone: where a task has many frames, several become one. */
  sealed interface OfLog extends HostFact {
    /** This fact and the next as one; null where there is something between them. */
    @Nullable OfLog joined(OfLog next);

    OfLog numbered(long number);
  }

  /** A range of a log is stored; it has no checksum where it was put together from several. */
  record Output(
      int attempt,
      long n,
      LogStream stream,
      long offset,
      long bytes,
      @Nullable Integer crc32c,
      Preview preview,
      long atMs)
      implements OfLog {

    public Output(
        int attempt,
        long n,
        LogStream stream,
        long offset,
        long bytes,
        @Nullable Integer crc32c,
        Preview preview) {
      this(attempt, n, stream, offset, bytes, crc32c, preview, 0);
    }

    @Override
    public @Nullable OfLog joined(OfLog next) {
      return next instanceof Output it
              && it.stream == stream
              && it.offset == offset + bytes
              && it.attempt == attempt
          ? new Output(
              attempt,
              it.n,
              stream,
              offset,
              bytes + it.bytes,
              null,
              preview.and(it.preview),
              it.atMs)
          : null;
    }

    @Override
    public Output numbered(long number) {
      return new Output(attempt, number, stream, offset, bytes, crc32c, preview, atMs);
    }
  }

  record Gap(int attempt, long n, LogStream stream, long from, long to) implements OfLog {
    @Override
    public @Nullable OfLog joined(OfLog next) {
      return next instanceof Gap it && it.stream == stream && it.from == to && it.attempt == attempt
          ? new Gap(attempt, it.n, stream, from, it.to)
          : null;
    }

    @Override
    public Gap numbered(long number) {
      return new Gap(attempt, number, stream, from, to);
    }
  }

  /** This range of a log may be missing on disk: a sync failed. */
  record Lost(int attempt, long n, LogStream stream, long from, long to) implements HostFact {}

  record Stdin(int attempt, long n, StdinWrite write) implements HostFact {}

  /** With the processes outside the process groups of the task that the signal reached. */
  record Signalled(int attempt, long n, String opId, String signal, String by, List<Long> outside)
      implements HostFact {
    public Signalled {
      outside = List.copyOf(outside);
    }

    public Signalled(int attempt, long n, String opId, String signal, String by) {
      this(attempt, n, opId, signal, by, List.of());
    }
  }

  /** The terminal got another size when its log ended at {@code offset}. */
  record Resized(int attempt, long n, String opId, TerminalSize size, String by, long offset)
      implements HostFact {}

  record KillStep(int attempt, long n, String step, String cause, List<Long> pids)
      implements HostFact {
    public KillStep {
      pids = List.copyOf(pids);
    }
  }

  record LimitPassed(int attempt, long n, String limit, long value) implements HostFact {}

  /** The last fact of an attempt: its process has ended and all its output is stored. */
  record Exited(int attempt, long n, Exit exit, List<LogEnd> logs, long atMs) implements HostFact {
    public Exited {
      logs = List.copyOf(logs);
    }
  }

  /**
   * One write to standard input, as far as the kernel took it.
   *
   * @param by who wrote it; null from older hosts
   */
  record StdinWrite(
      String opId,
      int bytes,
      boolean eof,
      boolean full,
      @Nullable String base64,
      @Nullable String by) {
    /** The input may be a password. */
    @Override
    public String toString() {
      return "StdinWrite[" + opId + ", " + bytes + " bytes" + (eof ? ", eof]" : "]");
    }
  }
}
