package dev.errand.daemon.verb;

import java.time.Duration;
import tools.jackson.databind.JsonNode;

/** What may be asked of the daemon itself. */
public interface Admin {

  /** Why the daemon is to stop, which decides what becomes of its tasks. */
  enum Stop {
    /** It is not needed now: what is set for that. */
    FOR_NOW,

    /** Another one follows at once: they go on. */
    FOR_RESTART,

    /** Nothing is to be left: they end, and the hosts too. */
    WITH_ALL
  }

  /**
   * What was begun.
   *
   * @param onStop what becomes of tasks, in the word of the setting
   * @param waitMax how long the daemon waits for that
   */
  record Stopping(String onStop, Duration waitMax) {}

  /** Begins to stop the daemon; returns at once. Who asks again ends the wait. */
  Stopping shutdown(Stop stop);

  /** Removes what is no longer kept; the answer says what went. */
  JsonNode gc();

  /** What is set, and where each value comes from. */
  JsonNode config();

  /** The processes of tasks that live on beside them. */
  JsonNode processes();

  /** Ends one of those, with what it has started; returns when they are dead. */
  JsonNode endProcess(long pid, String by) throws InterruptedException;

  /** Reads the settings again; the answer says what counts now and what after a restart. */
  JsonNode reload();
}
