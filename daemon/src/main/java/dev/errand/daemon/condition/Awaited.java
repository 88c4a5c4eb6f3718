package dev.errand.daemon.condition;

import dev.errand.core.task.LogStream;
import java.util.Map;

/** What came of waiting. */
public sealed interface Awaited {

  /** The condition at this place of the list holds; the first of them where several do. */
  record Holds(int index, Held held) implements Awaited {}

  /** The task is over and none of them held; none ever will. */
  record Ended() implements Awaited {}

  /**
   * The time has passed. Who waits on may begin the search in each log where this one came to, and
   * misses nothing.
   */
  record TimedOut(Map<LogStream, Long> searchedTo) implements Awaited {
    public TimedOut {
      searchedTo = Map.copyOf(searchedTo);
    }
  }
}
