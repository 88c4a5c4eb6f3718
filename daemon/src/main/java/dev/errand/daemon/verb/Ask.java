package dev.errand.daemon.verb;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.journal.IdempotencyKey;
import dev.errand.core.journal.TaskRow;
import dev.errand.core.task.SessionId;
import dev.errand.daemon.task.ResultReads;
import org.jspecify.annotations.Nullable;

/**
 * Who asks, and what the door lends to the answer.
 *
 * @param session the one that is meant, and for which results are read
 * @param reach what the answer may be about: tasks of this session and what these have started;
 *     null where that is not limited
 * @param key under which a repeat of it is known; null where it may happen again
 * @param delivery where it is noted what the answer tells
 */
public record Ask(
    Caller caller,
    SessionId session,
    @Nullable SessionId reach,
    @Nullable Key key,
    WaitSlots slots,
    Delivery delivery) {

  /** Parts a derived key from the one that it comes from; no caller can send it. */
  private static final String STEP = "\n";

  public Ask {
    if (caller.boundTo() != null && (reach == null || !caller.sees(reach))) {
      throw new IllegalArgumentException("an answer cannot reach more than its caller does");
    }
  }

  /**
   * A key as it was sent.
   *
   * @param scope in which it is unique, as the door says
   * @param earlierDigest the digest of the request as earlier versions made it; null if they had
   *     none
   */
  public record Key(String scope, String key, @Nullable String earlierDigest) {}

  /** Is told what is to be done when the answer has reached its caller, or could not. */
  public interface Delivery {
    void then(Delivered done);
  }

  /** Is told whether the caller has an answer that is no refusal. */
  public interface Delivered {
    void done(boolean received);
  }

  /** Asked by a caller in its own session; it reaches all that it sees. */
  public static Ask of(Caller caller, @Nullable Key key, WaitSlots slots, Delivery delivery) {
    if (key != null && !Idempotency.isKey(key.key())) {
      throw new ErrandException(
          ErrorCode.INVALID_REQUEST, "an idempotency key " + Idempotency.keyRule());
    }
    return new Ask(caller, caller.session(), caller.boundTo(), key, slots, delivery);
  }

  /** The same in this session, and kept to it; refused to a caller who does not see it. */
  public Ask within(SessionId only) {
    caller.mustSee(only);
    return new Ask(caller, only, only, key, slots, delivery);
  }

  /** The same for one step of what is asked, which has a key of its own. */
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

  /** The same, where earlier versions knew the request by this digest and the door by none. */
  Ask knownEarlierBy(String digest) {
    return key == null || key.earlierDigest() != null
        ? this
        : new Ask(caller, session, reach, new Key(key.scope(), key.key(), digest), slots, delivery);
  }

  /** Taken while waiting: refused where too many wait, interrupted when the door closes. */
  WaitSlots.Slot slot() {
    return slots.take(caller);
  }

  /** The answer has the result of this task, if it is over. */
  void tells(ResultReads reads, TaskRow row) {
    var answered = reads.answering(row, new ResultReads.Reader(caller.principal(), session));
    delivery.then(answered::done);
  }

  @Nullable IdempotencyKey idempotencyKey() {
    return key == null ? null : new IdempotencyKey(caller.principal(), key.scope(), key.key());
  }

  @Nullable String earlierDigest() {
    return key == null ? null : key.earlierDigest();
  }
}
