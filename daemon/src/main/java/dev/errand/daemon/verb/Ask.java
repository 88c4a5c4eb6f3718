package dev.errand.daemon.verb;

import dev.errand.core.journal.IdempotencyKey;
import dev.errand.core.journal.TaskRow;
import dev.errand.core.task.SessionId;
import dev.errand.daemon.access.Caller;
import dev.errand.daemon.task.ResultReads;
import org.jspecify.annotations.Nullable;

/**
 * Who asks, and what the door lends to the answer.
 *
 * @param key under which a repeat of it is known; null where it may happen again
 * @param delivery where it is noted what the answer tells
 */
public record Ask(Caller caller, @Nullable Key key, WaitSlots slots, Delivery delivery) {

  /** Parts a derived key from the one that it comes from; no caller can send it. */
  private static final String STEP = "\n";

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
    void then(ResultReads.Answered done);
  }

  /** The same for one step of what is asked, which has a key of its own. */
  public Ask step(String name) {
    var whole = key;
    return whole == null
        ? this
        : new Ask(caller, new Key(whole.scope(), whole.key() + STEP + name, null), slots, delivery);
  }

  /** Taken while waiting: refused where too many wait, interrupted when the door closes. */
  public WaitSlots.Slot slot() {
    return slots.take(caller);
  }

  /** The answer has the result of this task, if it is over. */
  public void tells(ResultReads reads, TaskRow row) {
    tells(reads, row, caller.session());
  }

  /** The same where it is read for another session than the caller's own. */
  public void tells(ResultReads reads, TaskRow row, SessionId session) {
    delivery.then(reads.answering(row, new ResultReads.Reader(caller.principal(), session)));
  }

  @Nullable IdempotencyKey idempotencyKey() {
    return key == null ? null : new IdempotencyKey(caller.principal(), key.scope(), key.key());
  }

  @Nullable String earlierDigest() {
    return key == null ? null : key.earlierDigest();
  }
}
