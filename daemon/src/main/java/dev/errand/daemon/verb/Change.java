package dev.errand.daemon.verb;

import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A verb that changes something. With a key it happens once: a repeat gets the same answer, made
 * from the small outcome that was remembered.
 */
public abstract class Change<Q extends Change.Request, A> extends Verb<Q, A> {

  /** A request to a verb that changes something. */
  public interface Request extends Verb.Request {
    /** Everything that distinguishes this request: a key may not be used for two different ones. */
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

  /** What is stored of an answer: ids, numbers and digests, and nothing secret. */
  abstract ObjectNode remembered(A answer);

  /** Makes the answer again from what was stored. */
  abstract A again(JsonNode remembered);

  /** Runs for each call, repeats included. */
  A finish(Ask ask, Q request, A answer) throws InterruptedException {
    return answer;
  }
}
