package dev.errand.daemon.surface.http;

import tools.jackson.databind.JsonNode;

/** What may be asked of the daemon itself. */
public interface Admin {

  /** Begins to stop the daemon, and with {@code all} its tasks and hosts too; returns at once. */
  void shutdown(boolean all);

  /** Removes what is no longer kept; the answer says what went. */
  JsonNode gc();

  /** What is set, and where each value comes from. */
  JsonNode config();

  /** Reads the settings again; the answer says what counts now and what after a restart. */
  JsonNode reload();
}
