package dev.errand.daemon.verb;

import dev.errand.core.task.PendingOutput;
import java.time.Duration;
import java.util.List;

/**
 * A growing sequence, followed from a cursor on: a door asks for the next step, gives it its own
 * form, and closes the stream. Nothing is queued for a slow door; it continues from its cursor. The
 * door decides how often a quiet client gets a keep-alive, and when a slow one is disconnected.
 */
public interface LiveStream<T> extends AutoCloseable {

  /**
   * The next step. If there is none it waits, up to this limit, and then reports that it is quiet.
   */
  Step<T> next(Duration wait) throws InterruptedException;

  @Override
  void close();

  /** One step. A door that has sent everything before it flushes before it waits. */
  sealed interface Step<T> {

    /** Some more items, in order. */
    record Items<T>(List<T> items) implements Step<T> {}

    /** The end of the history; reported once, also if the history is empty. */
    record CaughtUp<T>(String cursor) implements Step<T> {}

    /** Output is stored whose frames become items later. */
    record Coming<T>(List<PendingOutput.Range> ranges) implements Step<T> {}

    /**
     * Nothing new; the stream is at this cursor, which also moves past items that are not shown.
     */
    record Quiet<T>(String cursor) implements Step<T> {}

    /** The stream is over. */
    record Ended<T>() implements Step<T> {}
  }
}
