package dev.errand.daemon.surface.http;

import dev.errand.core.engine.Engine;
import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.journal.IdempotencyKey;
import dev.errand.core.journal.Journal;
import dev.errand.core.journal.RememberedReply;
import dev.errand.wire.http.Headers;
import java.io.IOException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * Makes keyed requests happen once: a repeat gets the remembered reply, and one that comes while
 * the first is under way waits for it. Successes and refusals that would come again are remembered;
 * after any other failure the next one tries anew.
 */
final class Repeats {
  private static final int KEY_CHARS_MAX = 255;

  private final Engine engine;
  private final Journal journal;
  private final ConcurrentHashMap<IdempotencyKey, CountDownLatch> underWay =
      new ConcurrentHashMap<>();

  Repeats(Engine engine, Journal journal) {
    this.engine = engine;
    this.journal = journal;
  }

  interface Work {
    Reply.Whole apply(Once once) throws IOException, InterruptedException;
  }

  Reply.Whole once(Call call, Work work) throws IOException, InterruptedException {
    var key = keyOf(call);
    if (key == null) {
      return work.apply(new Once(null, ""));
    }
    return once(key, Digests.hex(call.body()), work);
  }

  /** For a body too large to hold, whose digest is known already. */
  Reply.Whole once(Call call, String bodyDigest, Work work)
      throws IOException, InterruptedException {
    var key = keyOf(call);
    return key == null ? work.apply(new Once(null, "")) : once(key, bodyDigest, work);
  }

  private Reply.Whole once(IdempotencyKey key, String bodyDigest, Work work)
      throws IOException, InterruptedException {
    while (true) {
      var mine = new CountDownLatch(1);
      var first = underWay.putIfAbsent(key, mine);
      if (first != null) {
        first.await();
        continue;
      }
      try {
        var remembered = journal.reply(key);
        return remembered.isPresent()
            ? same(remembered.get(), bodyDigest)
            : apply(new Once(key, bodyDigest), work);
      } finally {
        underWay.remove(key, mine);
        mine.countDown();
      }
    }
  }

  private static Reply.Whole same(RememberedReply remembered, String bodyDigest) {
    if (!remembered.bodyDigest().equals(bodyDigest)) {
      throw new ErrandException(
          ErrorCode.IDEMPOTENCY_CONFLICT,
          "this Idempotency-Key came with another body before; use a new key for a new request");
    }
    return ReplyCodec.decode(remembered.reply());
  }

  private Reply.Whole apply(Once once, Work work) throws IOException, InterruptedException {
    Reply.Whole reply;
    try {
      reply = work.apply(once);
    } catch (ErrandException e) {
      if (e.code().retryable() || e.code().kind() == ErrorCode.Kind.DAEMON) {
        throw e;
      }
      reply = Problems.of(e);
    }
    once.remember(engine, reply);
    return reply;
  }

  private static @Nullable IdempotencyKey keyOf(Call call) {
    var text = call.header(Headers.IDEMPOTENCY_KEY);
    if (text == null) {
      return null;
    }
    if (text.isEmpty()
        || text.length() > KEY_CHARS_MAX
        || !text.chars().allMatch(it -> it > ' ' && it < 0x7F)) {
      throw Call.invalid(
          Headers.IDEMPOTENCY_KEY
              + " must have 1 to "
              + KEY_CHARS_MAX
              + " printable characters without spaces");
    }
    return new IdempotencyKey(call.caller().principal(), call.method(), call.path(), text);
  }
}
