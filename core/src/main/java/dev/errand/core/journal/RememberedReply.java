package dev.errand.core.journal;

import dev.errand.core.task.TaskId;
import org.jspecify.annotations.Nullable;

/** The answer that was given to a keyed request; kept at least as long as its task. */
@SuppressWarnings("ArrayRecordComponent") // The reply is shared and never changed.
public record RememberedReply(
    IdempotencyKey key, String bodyDigest, byte[] reply, @Nullable TaskId taskId, long atMs) {}
