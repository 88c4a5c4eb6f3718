package dev.errand.daemon.compute;

/** Work that can be done in steps, each by one thread, which may be another one each time. */
@FunctionalInterface
public interface Job {

  /**
   * Goes on until all is done or this time has come, as the ticks of the clock count it; what it
   * does between two looks at the clock must be short.
   *
   * @return whether all is done
   */
  boolean goOn(long untilNanos);
}
