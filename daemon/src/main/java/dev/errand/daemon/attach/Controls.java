package dev.errand.daemon.attach;

/** What one client may do to its task: asked of each message, and told what came of it. */
public interface Controls {

  /** What a client can do to a task. */
  enum Control {
    STDIN,
    RESIZE
  }

  /** Refuses what this client may not do. */
  void check(Control control);

  /** Does what was checked, and notes what came of it. */
  <X extends Exception> void apply(Control control, Action<X> action)
      throws X, InterruptedException;

  /** Something that is done to a task. */
  interface Action<X extends Exception> {
    void run() throws X, InterruptedException;
  }
}
