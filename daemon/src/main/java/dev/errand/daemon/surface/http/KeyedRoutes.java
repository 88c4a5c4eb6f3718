package dev.errand.daemon.surface.http;

import dev.errand.core.engine.Engine;
import dev.errand.core.engine.Outcome;
import dev.errand.core.error.ErrandException;
import dev.errand.core.journal.IdempotencyKey;
import dev.errand.core.journal.Journal;
import dev.errand.daemon.verb.Idempotency;
import dev.errand.wire.http.Headers;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Requests with an Idempotency-Key, which is unique within a method and a path. */
final class KeyedRoutes {
  private static final Idempotency.Form<Reply.Whole> FORM = new Replies();

  private final Idempotency idempotency;

  KeyedRoutes(Engine engine, Journal journal) {
    this.idempotency = new Idempotency(engine, journal);
  }

  /** For a body too large to hold, whose digest is known already. */
  Reply.Whole once(Call call, String bodyDigest, Idempotency.Work<Reply.Whole, IOException> work)
      throws IOException, InterruptedException {
    return idempotency.once(keyOf(call), new Idempotency.Digest(bodyDigest, null), FORM, work);
  }

  private static @Nullable IdempotencyKey keyOf(Call call) {
    var text = call.header(Headers.IDEMPOTENCY_KEY);
    if (text == null) {
      return null;
    }
    return new IdempotencyKey(call.caller().principal(), call.scope(), text);
  }

  private static final class Replies implements Idempotency.Form<Reply.Whole> {
    @Override
    public byte[] encode(Reply.Whole answer) {
      return ReplyCodec.encode(answer);
    }

    @Override
    public Reply.Whole decode(byte[] remembered) {
      return ReplyCodec.decode(remembered);
    }

    @Override
    public Reply.Whole refused(ErrandException refusal) {
      return Problems.of(refusal);
    }

    @Override
    public Reply.Whole refused(Outcome.Refused refusal) {
      return Problems.of(refusal);
    }
  }
}
