package dev.errand.core.journal;

import dev.errand.core.task.SessionId;
import org.jspecify.annotations.Nullable;

/**
 * A value that is kept for a session under a name, such as where a delivery stands; the journal
 * never looks into it. Without a value it is forgotten.
 */
@SuppressWarnings("ArrayRecordComponent") // The value is shared and never changed.
public record Memo(SessionId sessionId, String name, byte @Nullable [] value) {}
