package dev.errand.core.engine;

import dev.errand.core.journal.IdempotencyKey;
import java.util.function.Function;

/** Makes a request repeatable: its reply is committed with what it did. */
public record IdempotentReply(
    IdempotencyKey key, String bodyDigest, Function<Outcome, byte[]> reply) {}
