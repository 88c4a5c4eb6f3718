package dev.errand.daemon.verb;

import dev.errand.daemon.access.Caller;

/**
 * One thing that can be asked of the daemon, the same whichever door it comes through: a typed
 * request in, a typed answer out. Who may ask is settled here, before anything else of it happens.
 *
 * @param <Q> what is asked
 * @param <A> what is answered
 */
public abstract class Verb<Q extends Verb.Request, A> {

  /** What is asked of a verb. */
  public interface Request {
    /** The id or name of what it is about; empty where that is no single thing. */
    String target();
  }

  private final Access access;
  private final Authorizer authorizer;

  Verb(Access access, Authorizer authorizer) {
    this.access = access;
    this.authorizer = authorizer;
  }

  public final Access access() {
    return access;
  }

  /** Refuses a caller who may not ask this of what it names. */
  public final void check(Caller caller, String target) {
    authorizer.check(access, caller, target);
  }

  /** Answers, or throws the refusal as an {@code ErrandException}. */
  public final A run(Ask ask, Q request) throws InterruptedException {
    check(ask.caller(), request.target());
    return answer(ask, request);
  }

  abstract A answer(Ask ask, Q request) throws InterruptedException;
}
