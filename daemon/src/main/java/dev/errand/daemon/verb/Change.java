package dev.errand.daemon.verb;

import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A verb that changes something. With a key it happens once: a repeat is answered from the little
 * that was remembered, which is all it takes to make the same answer again.
 */
public abstract class Change<Q extends Change.Request, A> extends Verb<Q, A> {

  /** What is asked of a verb that changes something. */
  public interface Request extends Verb.Request {
    /** All that makes it this request and no other: a key may not come with two of them. */
    List<String> words();
  }

  private final Idempotency idempotency;

  Change(String name, Access access, Floor floor) {
    super(name, access, floor.authorizer());
    this.idempotency = floor.idempotency();
  }

  @Override
  final A answer(Ask ask, Q request) throws InterruptedException {
    var key = ask.idempotencyKey();
    var done =
        idempotency.<Done<A>, RuntimeException>once(
            key,
            key == null ? Idempotency.Digest.NONE : digest(ask, request),
            new OutcomeForm<>(this::again),
            call -> {
              var answer = change(ask, request, new Once<>(call));
              return new Done.Answered<>(remembered(answer), answer);
            });
    return finish(ask, request, done.orThrow());
  }

  private Idempotency.Digest digest(Ask ask, Q request) {
    return new Idempotency.Digest(Digests.of(name(), request.words()), ask.earlierDigest());
  }

  abstract A change(Ask ask, Q request, Once<A> once) throws InterruptedException;

  /** What is kept of an answer: ids, numbers and digests, and nothing that may be secret. */
  abstract ObjectNode remembered(A answer);

  /** The answer again, from what was kept of it. */
  abstract A again(JsonNode remembered);

  /** What is done for each caller, those who repeat too. */
  A finish(Ask ask, Q request, A answer) throws InterruptedException {
    return answer;
  }
}
