package dev.errand.daemon.verb;

import dev.errand.core.engine.Engine;
import dev.errand.core.engine.Outcome;
import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.journal.IdempotencyKey;
import dev.errand.core.journal.Journal;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes requests with a key happen once: a repeated request gets the remembered answer, and a
 * repeat that comes while the first is in progress waits for it. Successes and permanent refusals
 * are remembered; after any other failure the next request is tried again.
 */
public final class Idempotency {
  private static final int KEY_CHARS_MAX = 255;

  private final Engine engine;
  private final Journal journal;
  private final ConcurrentHashMap<IdempotencyKey, CountDownLatch> underWay =
      new ConcurrentHashMap<>();

  public Idempotency(Engine engine, Journal journal) {
    this.engine = engine;
    this.journal = journal;
  }

  /** How one door remembers its answers, and how it answers a refusal. */
  public interface Form<R> {
    byte[] encode(R answer);

    R decode(byte[] remembered);

    R refused(ErrandException refusal);

    R refused(Outcome.Refused refusal);
  }

  /** The content of a request. */
  public interface Work<R, X extends Exception> {
    R apply(KeyedCall<R> call) throws X, InterruptedException;
  }

  /**
   * The digest of a request: the same key with another digest is refused.
   *
   * @param earlier computes the digest as an earlier version did, whose answers are still known;
   *     null if it is the same
   */
  public record Digest(String now, @Nullable Supplier<String> earlier) {
    static final Digest NONE = new Digest("", null);

    private boolean fits(String remembered) {
      return remembered.equals(now) || (earlier != null && remembered.equals(earlier.get()));
    }
  }

  /**
   * Does the work once.
   *
   * @param key null for a request without one, which is done each time
   */
  public <R, X extends Exception> R once(
      @Nullable IdempotencyKey key, Digest digest, Form<R> form, Work<R, X> work)
      throws X, InterruptedException {
    if (key == null) {
      return work.apply(new KeyedCall<>(null, "", form));
    }
    while (true) {
      var mine = new CountDownLatch(1);
      var first = underWay.putIfAbsent(key, mine);
      if (first != null) {
        first.await();
        continue;
      }
      try {
        var remembered = journal.reply(key);
        if (remembered.isEmpty()) {
          return apply(new KeyedCall<>(key, digest.now(), form), form, work);
        }
        if (!digest.fits(remembered.get().bodyDigest())) {
          throw new ErrandException(
              ErrorCode.IDEMPOTENCY_CONFLICT,
              "this Idempotency-Key was already used with another body; use a new key for a new"
                  + " request");
        }
        return form.decode(remembered.get().reply());
      } finally {
        underWay.remove(key, mine);
        mine.countDown();
      }
    }
  }

  private <R, X extends Exception> R apply(KeyedCall<R> call, Form<R> form, Work<R, X> work)
      throws X, InterruptedException {
    R answer;
    try {
      answer = work.apply(call);
    } catch (ErrandException e) {
      if (e.code().retryable() || e.code().kind() == ErrorCode.Kind.DAEMON) {
        throw e;
      }
      answer = form.refused(e);
    }
    call.remember(engine, answer);
    return answer;
  }

  /** Whether a caller may choose this key. */
  public static boolean isKey(String text) {
    return !text.isEmpty()
        && text.length() <= KEY_CHARS_MAX
        && text.chars().allMatch(it -> it > ' ' && it < 0x7F);
  }

  /** The rule for keys, as text. */
  public static String keyRule() {
    return "must have 1 to " + KEY_CHARS_MAX + " printable characters without spaces";
  }
}
