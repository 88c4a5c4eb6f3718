package dev.errand.daemon.surface.http;

import dev.errand.core.engine.Engine;
import dev.errand.core.engine.Guard;
import dev.errand.core.engine.Outcome;
import dev.errand.core.engine.Snapshot;
import dev.errand.core.journal.IdempotencyKey;
import dev.errand.core.task.TaskId;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One request that may be repeated. Its reply is remembered in the commit that it guards, or where
 * there is none (the host did it, or it was refused) in a commit of its own.
 */
final class Once {
  private final @Nullable IdempotencyKey key;
  private final String bodyDigest;
  private boolean guarded;
  private @Nullable TaskId taskId;

  /** Without a key nothing is remembered. */
  Once(@Nullable IdempotencyKey key, String bodyDigest) {
    this.key = key;
    this.bodyDigest = bodyDigest;
  }

  /** Calls a verb that commits its reply with its effect; a refusal is thrown. */
  Reply.Whole submit(
      Function<@Nullable Guard, Outcome> verb, Function<Snapshot, Reply.Whole> accepted) {
    var outcome = verb.apply(guard(accepted));
    return accepted.apply(outcome.orThrow());
  }

  /** To be given to the verb; null where nothing is to be remembered. */
  @Nullable Guard guard(Function<Snapshot, Reply.Whole> accepted) {
    if (key == null) {
      return null;
    }
    return new Guard(
        key,
        bodyDigest,
        outcome -> {
          guarded = true;
          return ReplyCodec.encode(
              switch (outcome) {
                case Outcome.Accepted it -> accepted.apply(it.snapshot());
                case Outcome.Refused it -> Problems.of(it);
              });
        });
  }

  /** The reply is kept at least as long as this task. */
  void concerns(TaskId id) {
    taskId = id;
  }

  /** Names the operation to the host, which answers a repeat from its own record. */
  String opId() {
    return key == null
        ? UUID.randomUUID().toString()
        : Digests.hex(String.join("\n", key.principal(), key.method(), key.path(), key.key()))
            .substring(0, 32);
  }

  void remember(Engine engine, Reply.Whole reply) {
    if (key != null && !guarded) {
      engine.remember(key, bodyDigest, ReplyCodec.encode(reply), taskId);
    }
  }
}
