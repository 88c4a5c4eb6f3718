package dev.errand.core.journal;

import dev.errand.core.task.SessionId;
import org.jspecify.annotations.Nullable;

/**
 * A value stored for a session under a name, such as the state of a delivery; opaque to the
 * journal. A null value deletes it.
 */
@SuppressWarnings("ArrayRecordComponent") // The value is shared and never changed.
public record Memo(SessionId sessionId, String name, byte @Nullable [] value) {}
