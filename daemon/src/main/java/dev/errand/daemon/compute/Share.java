package dev.errand.daemon.compute;

/** What one caller has of the processors. */
public interface Share {

  /**
   * Returns when the job is done. What a step throws ends the job and is thrown here.
   *
   * @throws dev.errand.core.error.ErrandException with LIMIT_EXCEEDED where too many jobs of this
   *     caller wait already
   */
  void run(Job job) throws InterruptedException;

  /** Refuses as {@link #run} does, without doing anything. */
  void checkRoom();

  /** The same share, for jobs of a request that was accepted before: they wait for room. */
  Share admitted();
}
