package dev.errand.core.task;

import org.jspecify.annotations.Nullable;

/** The state of a task; each case has the fields that are known in it, and no others. */
public sealed interface TaskState {

  /** No task has this id. */
  record Absent() implements TaskState {}

  /** There is such a task, over or not. */
  sealed interface Present extends TaskState {
    TaskFacts facts();
  }

  /** There is such a task, and it is not over. */
  sealed interface Live extends Present {}

  /** Accepted, but a person has to approve before it may run. */
  record Held(TaskFacts facts, long untilMs) implements Live {}

  /** Accepted; no attempt is under way. */
  record Queued(TaskFacts facts) implements Live {}

  /** A host has an attempt of it; only commands have this state. */
  sealed interface Hosted extends Live {
    Attempt attempt();
  }

  /** An attempt is recorded; whether its process exists only its host can say. */
  record Claimed(TaskFacts facts, Attempt attempt) implements Hosted {}

  /** Its process is there. */
  record Running(TaskFacts facts, Attempt attempt, ProcessIdentity process) implements Hosted {}

  /** Over, for ever; with its last process, where there was one. */
  record Ended(TaskFacts facts, End end, @Nullable ProcessIdentity process) implements Present {
    public Ended(TaskFacts facts, End end) {
      this(facts, end, null);
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
}
