package dev.errand.core.task;

/**
 * How a session stands.
 *
 * @param queued those of its tasks that wait, for whatever it is
 * @param lastActivityMs when one of its tasks last came, began or ended, or it was ended itself
 * @param endedAtMs when it was ended; 0 for one that is open
 */
public record SessionView(
    SessionId id, long queued, long running, long ended, long lastActivityMs, long endedAtMs) {}
