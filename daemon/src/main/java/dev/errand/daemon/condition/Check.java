package dev.errand.daemon.condition;

import java.time.Duration;

/** One condition of one task, looked at again and again by one thread. */
interface Check {

  Verdict look(Moment moment) throws InterruptedException;

  /** Whether it holds on until the task writes again, as silence does. */
  default boolean holdsUntilOutput() {
    return false;
  }

  sealed interface Verdict {
    /** Not looked at everything yet: to be asked again at once. */
    NotYet UNFINISHED = new NotYet(Duration.ZERO);

    /** Nothing but another frame can change it. */
    NotYet UNTIL_FRAME = new NotYet(Duration.ofDays(1));

    record Holds(Held held) implements Verdict {}

    /** To be looked at again when a frame comes, and after this time at the latest. */
    record NotYet(Duration again) implements Verdict {}
  }
}
