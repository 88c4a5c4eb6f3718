package dev.errand.daemon.condition;

/** One condition of one task, checked repeatedly by one thread. */
interface Check {

  CheckResult check(Observation seen) throws InterruptedException;

  /** Whether it stays true until the task writes again, as silence does. */
  default boolean holdsUntilOutput() {
    return false;
  }
}
