package dev.errand.core.journal;

import dev.errand.core.task.SessionId;

/** When a session was ended; 0 for an open session. */
public record SessionEnd(SessionId sessionId, long atMs) {}
