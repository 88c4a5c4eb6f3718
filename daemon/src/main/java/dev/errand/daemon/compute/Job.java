package dev.errand.daemon.compute;

/** Work that runs in steps, each on any thread. */
@FunctionalInterface
public interface Job {

  /**
   * Continues until all is done or the clock's ticks reach this value; it must check the clock
   * often.
   *
   * @return whether all is done
   */
  boolean goOn(long untilNanos);
}
