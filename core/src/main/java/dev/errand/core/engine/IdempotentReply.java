package dev.errand.core.engine;

import dev.errand.core.journal.IdempotencyKey;
import java.util.function.Function;

/**
 * The reply to a request with an idempotency key, committed together with the effect of the
 * request.
 */
public record IdempotentReply(
    IdempotencyKey key, String bodyDigest, Function<Outcome, byte[]> reply) {}
