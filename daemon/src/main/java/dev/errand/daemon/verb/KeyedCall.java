package dev.errand.daemon.verb;

import dev.errand.core.engine.Engine;
import dev.errand.core.engine.IdempotentReply;
import dev.errand.core.engine.Outcome;
import dev.errand.core.engine.Snapshot;
import dev.errand.core.journal.IdempotencyKey;
import dev.errand.core.task.TaskId;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One request with a key. Its answer is remembered in the commit that it causes, or, if there is
 * none (the host did it, or it was refused), in a commit of its own.
 */
public final class KeyedCall<R> {
  private static final int OP_ID_CHARS = 32;

  private final @Nullable IdempotencyKey key;
  private final String digest;
  private final Idempotency.Form<R> form;
  private boolean guarded;
  private @Nullable TaskId taskId;

  KeyedCall(@Nullable IdempotencyKey key, String digest, Idempotency.Form<R> form) {
    this.key = key;
    this.digest = digest;
    this.form = form;
  }

  /** Does something that commits its answer with its effect; a refusal is thrown. */
  public R submit(
      Function<@Nullable IdempotentReply, Outcome> action, Function<Snapshot, R> accepted) {
    var outcome = action.apply(guard(it -> form.encode(accepted.apply(it))));
    return accepted.apply(outcome.orThrow());
  }

  /** For the code that commits; null if nothing is to be remembered. */
  @Nullable IdempotentReply guard(Function<Snapshot, byte[]> accepted) {
    if (key == null) {
      return null;
    }
    return new IdempotentReply(
        key,
        digest,
        outcome -> {
          guarded = true;
          return switch (outcome) {
            case Outcome.Accepted it -> accepted.apply(it.snapshot());
            case Outcome.Refused it -> form.encode(form.refused(it));
          };
        });
  }

  /** The answer is kept at least as long as this task. */
  public void concerns(TaskId id) {
    taskId = id;
  }

  /** The id of the operation for the host, which answers a repeat from its own record. */
  public String opId() {
    return key == null
        ? UUID.randomUUID().toString()
        : Digests.hex(String.join("\n", key.principal(), key.scope(), key.key()))
            .substring(0, OP_ID_CHARS);
  }

  void remember(Engine engine, R answer) {
    if (key != null && !guarded) {
      engine.remember(key, digest, form.encode(answer), taskId);
    }
  }
}
