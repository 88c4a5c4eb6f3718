package dev.errand.daemon.verb;

import dev.errand.core.task.PendingOutput;
import java.time.Duration;
import java.util.List;

/**
 * Something that grows, followed from a cursor on: a door asks for the next step, gives it its own
 * form, and closes it. Nothing is queued for a door that is slow; it reads on where it stands. How
 * often a quiet client hears something, and when a slow one is cut, is the door's.
 */
public interface LiveStream<T> extends AutoCloseable {

  /**
   * What comes next. Where that is nothing it waits, at most so long, and says that it is quiet.
   */
  Step<T> next(Duration wait) throws InterruptedException;

  @Override
  void close();

  /** One step. A door that has sent all before it flushes before it asks to wait. */
  sealed interface Step<T> {

    /** Some more of it, in its order. */
    record Items<T>(List<T> items) implements Step<T> {}

    /** All that was there at the beginning was given; once, also where that was nothing. */
    record CaughtUp<T>(String cursor) implements Step<T> {}

    /** Output is stored whose frames become items later. */
    record Coming<T>(List<PendingOutput.Range> ranges) implements Step<T> {}

    /** Nothing has come; it stands at this cursor, which moves past what is not shown too. */
    record Quiet<T>(String cursor) implements Step<T> {}

    /** Nothing will come any more. */
    record Ended<T>() implements Step<T> {}
  }
}
