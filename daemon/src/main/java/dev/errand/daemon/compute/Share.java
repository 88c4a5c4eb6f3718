package dev.errand.daemon.compute;

/** The share of one caller in the compute pool. */
public interface Share {

  /**
   * Returns when the job is done. An exception of a step ends the job and is thrown here.
   *
   * @throws dev.errand.core.error.ErrandException with LIMIT_EXCEEDED if too many jobs of this
   *     caller wait already
   */
  void run(Job job) throws InterruptedException;

  /** Refuses like {@link #run}, without running anything. */
  void checkRoom();

  /** The same share, for jobs of an accepted request: they wait instead of being refused. */
  Share admitted();
}
