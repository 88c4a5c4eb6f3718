package dev.errand.core.task;

import org.jspecify.annotations.Nullable;

/**
 * How a session stands.
 *
 * @param queued those of its tasks that wait, for whatever it is
 * @param lastActivityMs when one of its tasks last came, began or ended, or it was ended itself
 * @param endedAtMs when it was ended; 0 for one that is open
 * @param folder where its tasks run if nothing names another folder; null while none is set
 */
public record SessionView(
    SessionId id,
    long queued,
    long running,
    long ended,
    long lastActivityMs,
    long endedAtMs,
    @Nullable String folder) {}
