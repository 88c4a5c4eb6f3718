package dev.errand.daemon.condition;

import dev.errand.core.task.LogStream;
import java.util.Map;

/** The result of a wait. */
public sealed interface Awaited {

  /** The condition at this index of the list is true; the first one if several are. */
  record Holds(int index, ConditionMet met) implements Awaited {}

  /** The task ended, and none of the conditions was or will be met. */
  record Ended() implements Awaited {}

  /**
   * The time has passed. A caller that waits again can begin the search in each log where this one
   * ended, and misses nothing.
   */
  record TimedOut(Map<LogStream, Long> searchedTo) implements Awaited {
    public TimedOut {
      searchedTo = Map.copyOf(searchedTo);
    }
  }
}
