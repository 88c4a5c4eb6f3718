package dev.errand.core.task;

import dev.errand.core.task.TaskState.CancelRequest;
import org.jspecify.annotations.Nullable;

/**
 * What is known in every state: the spec, and what was recorded since.
 *
 * @param terminal the size of the terminal as it is now, just for a task that has one
 * @param watched what its watchers saw, and whether it is ready
 */
public record TaskFacts(
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

  TaskFacts counted() {
    return new TaskFacts(
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

  TaskFacts attempted(int number) {
    // Each attempt begins with the size that was asked for.
    return new TaskFacts(
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

  TaskFacts started(long atMs) {
    return new TaskFacts(
        spec, spawnedAtMs, atMs, attempts, frames, merged, logs, cancel, terminal, watched);
  }

  TaskFacts merging() {
    return new TaskFacts(
        spec, spawnedAtMs, startedAtMs, attempts, frames, true, logs, cancel, terminal, watched);
  }

  TaskFacts logging(Logs.Log log) {
    return new TaskFacts(
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

  TaskFacts cancelling(CancelRequest request) {
    return new TaskFacts(
        spec, spawnedAtMs, startedAtMs, attempts, frames, merged, logs, request, terminal, watched);
  }

  TaskFacts attending(WatchProgress now) {
    return new TaskFacts(
        spec, spawnedAtMs, startedAtMs, attempts, frames, merged, logs, cancel, terminal, now);
  }

  TaskFacts resized(TerminalSize size) {
    return new TaskFacts(
        spec, spawnedAtMs, startedAtMs, attempts, frames, merged, logs, cancel, size, watched);
  }
}
