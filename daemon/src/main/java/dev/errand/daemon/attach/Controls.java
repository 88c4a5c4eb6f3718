package dev.errand.daemon.attach;

/** Checks each message of one client, and is called with its result. */
public interface Controls {

  /** What a client can do to a task. */
  enum Control {
    STDIN,
    RESIZE
  }

  /** Refuses what this client may not do. */
  void check(Control control);

  /** Does what was checked, and notes the result. */
  <X extends Exception> void apply(Control control, Action<X> action)
      throws X, InterruptedException;

  /** An action on a task. */
  interface Action<X extends Exception> {
    void run() throws X, InterruptedException;
  }
}
