package dev.errand.core.task;

import org.jspecify.annotations.Nullable;

/** Where a task stands; each state holds what is known in it, and nothing that is not. */
public sealed interface TaskState {

  /** No task has this id. */
  record Absent() implements TaskState {}

  /** There is such a task, over or not. */
  sealed interface Present extends TaskState {
    Known known();
  }

  /** There is such a task, and it is not over. */
  sealed interface Live extends Present {}

  /** Accepted, but a person has to approve before it may run. */
  record Held(Known known, long untilMs) implements Live {}

  /** Accepted; no attempt is under way. */
  record Queued(Known known) implements Live {}

  /** A host has an attempt of it, as it is with commands alone. */
  sealed interface Hosted extends Live {
    Attempt attempt();
  }

  /** An attempt is recorded; whether its process exists only its host can say. */
  record Claimed(Known known, Attempt attempt) implements Hosted {}

  /** Its process is there. */
  record Running(Known known, Attempt attempt, ProcessIdentity process) implements Hosted {}

  /** Over, for ever; with its last process, where there was one. */
  record Ended(Known known, End end, @Nullable ProcessIdentity process) implements Present {
    public Ended(Known known, End end) {
      this(known, end, null);
    }
  }

  /** One start of the process, by one host, and how far that host's records are in the log. */
  record Attempt(int number, String hostId, long lastRecord) {
    Attempt upTo(long record) {
      return new Attempt(number, hostId, record);
    }
  }

  /** Who asked for the end, and why. */
  record CancelRequest(String reason, String by) {}

  /**
   * What holds in every state: what was asked for, and what has gathered since.
   *
   * @param terminal the size of the terminal as it is now, just for a task that has one
   * @param attended what its watchers saw, and whether it is ready
   */
  record Known(
      TaskSpec spec,
      long spawnedAtMs,
      long startedAtMs,
      int attempts,
      long frames,
      boolean merged,
      Logs logs,
      @Nullable CancelRequest cancel,
      @Nullable TerminalSize terminal,
      WatchProgress watched) {

    /** Whether a process of this task was ever seen; its time of start is 0 until then. */
    public boolean everStarted() {
      return startedAtMs > 0;
    }

    Known counted() {
      return new Known(
          spec,
          spawnedAtMs,
          startedAtMs,
          attempts,
          frames + 1,
          merged,
          logs,
          cancel,
          terminal,
          watched);
    }

    Known attempted(int number) {
      // Each attempt begins with the size that was asked for.
      return new Known(
          spec,
          spawnedAtMs,
          startedAtMs,
          number,
          frames,
          merged,
          logs,
          cancel,
          spec.work().terminal(),
          watched);
    }

    Known started(long atMs) {
      return new Known(
          spec, spawnedAtMs, atMs, attempts, frames, merged, logs, cancel, terminal, watched);
    }

    Known merging() {
      return new Known(
          spec, spawnedAtMs, startedAtMs, attempts, frames, true, logs, cancel, terminal, watched);
    }

    Known logging(Logs.Log log) {
      return new Known(
          spec,
          spawnedAtMs,
          startedAtMs,
          attempts,
          frames,
          merged,
          logs.with(log),
          cancel,
          terminal,
          watched);
    }

    Known cancelling(CancelRequest request) {
      return new Known(
          spec,
          spawnedAtMs,
          startedAtMs,
          attempts,
          frames,
          merged,
          logs,
          request,
          terminal,
          watched);
    }

    Known attending(WatchProgress now) {
      return new Known(
          spec, spawnedAtMs, startedAtMs, attempts, frames, merged, logs, cancel, terminal, now);
    }

    Known resized(TerminalSize size) {
      return new Known(
          spec, spawnedAtMs, startedAtMs, attempts, frames, merged, logs, cancel, size, watched);
    }
  }
}
