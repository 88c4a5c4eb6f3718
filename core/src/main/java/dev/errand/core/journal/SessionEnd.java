package dev.errand.core.journal;

import dev.errand.core.task.SessionId;

/** Says that a session was ended at that time; 0 that it is open, as one is that nobody ended. */
public record SessionEnd(SessionId sessionId, long atMs) {}
