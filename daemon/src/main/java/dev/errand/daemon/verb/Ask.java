package dev.errand.daemon.verb;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.journal.IdempotencyKey;
import dev.errand.core.journal.TaskRow;
import dev.errand.core.task.SessionId;
import dev.errand.daemon.task.ResultReads;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The context of a call: who calls, and what the door provides for the answer.
 *
 * @param session the session of the call, for which results are read
 * @param reach what the answer may contain: tasks of this session and those that they started;
 *     null: no such limit
 * @param key identifies a repeat of the call; null: each call is new
 * @param delivery notes which results the answer delivers
 */
public record Ask(
    Caller caller,
    SessionId session,
    @Nullable SessionId reach,
    @Nullable Key key,
    WaitSlots slots,
    Delivery delivery) {

  /** Separates a derived key from its origin; no caller can send it. */
  private static final String STEP = "\n";

  public Ask {
    if (caller.boundTo() != null && (reach == null || !caller.sees(reach))) {
      throw new IllegalArgumentException("an answer cannot reach more than its caller does");
    }
  }

  /**
   * A key as it was sent.
   *
   * @param scope within which it is unique, as the door defines
   * @param earlierDigest computes the digest of the request as earlier versions did, which only a
   *     repeat needs; null if they had none
   */
  public record Key(String scope, String key, @Nullable Supplier<String> earlierDigest) {}

  /** Receives what has to be done when the answer was delivered, or could not be. */
  public interface Delivery {
    void then(Delivered done);
  }

  /** Is called with whether the caller got an answer that is no refusal. */
  public interface Delivered {
    void done(boolean received);
  }

  /** A call of this caller in its own session; its reach is all that the caller sees. */
  public static Ask of(Caller caller, @Nullable Key key, WaitSlots slots, Delivery delivery) {
    if (key != null && !Idempotency.isKey(key.key())) {
      throw new ErrandException(
          ErrorCode.INVALID_REQUEST, "an idempotency key " + Idempotency.keyRule());
    }
    return new Ask(caller, caller.session(), caller.boundTo(), key, slots, delivery);
  }

  /** The same in this session, and limited to it; refused if the caller does not see it. */
  public Ask within(SessionId only) {
    caller.mustSee(only);
    return new Ask(caller, only, only, key, slots, delivery);
  }

  /** The same for one step of the call, with a key of its own. */
  public Ask step(String name) {
    var whole = key;
    return whole == null
        ? this
        : new Ask(
            caller,
            session,
            reach,
            new Key(whole.scope(), whole.key() + STEP + name, null),
            slots,
            delivery);
  }

  /** The same, if earlier versions knew the request by this digest and the door knows none. */
  Ask knownEarlierBy(String digest) {
    return key == null || key.earlierDigest() != null
        ? this
        : new Ask(
            caller, session, reach, new Key(key.scope(), key.key(), () -> digest), slots, delivery);
  }

  /** A slot for waiting: refused if too many callers wait, interrupted when the door closes. */
  WaitSlots.Slot slot() {
    return slots.take(caller);
  }

  /** The answer contains the result of this task, if it is over. */
  void tells(ResultReads reads, TaskRow row) {
    var answered = reads.answering(row, new ResultReads.Reader(caller.principal(), session));
    delivery.then(answered::done);
  }

  @Nullable IdempotencyKey idempotencyKey() {
    return key == null ? null : new IdempotencyKey(caller.principal(), key.scope(), key.key());
  }

  @Nullable Supplier<String> earlierDigest() {
    return key == null ? null : key.earlierDigest();
  }
}
