package dev.errand.daemon.verb;

import dev.errand.core.error.ErrandException;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskId;

/**
 * One thing that can be asked of the daemon, the same whichever door it comes through: a typed
 * request in, a typed answer out. Who may ask is settled here, before anything else of it happens,
 * and whatever changes something is written into the audit.
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

  /** What is asked of one task that is there. */
  public interface OfTask extends Request {
    TaskId taskId();

    @Override
    default String target() {
      return taskId().value();
    }
  }

  /** What is asked of one session. */
  public interface OfSession extends Request {
    SessionId sessionId();

    @Override
    default String target() {
      return sessionId().value();
    }
  }

  /** What is asked of no single thing. */
  public interface OfNothing extends Request {
    @Override
    default String target() {
      return "";
    }
  }

  /** What the audit says of what was done. */
  static final String OK = "ok";

  /** What the audit says of what neither was done nor refused: it was broken off. */
  static final String FAILED = "failed";

  private final String name;
  private final Access access;
  private final Authorizer authorizer;

  Verb(String name, Access access, Authorizer authorizer) {
    this.name = name;
    this.access = access;
    this.authorizer = authorizer;
  }

  public final String name() {
    return name;
  }

  public final Access access() {
    return access;
  }

  /**
   * Whether it may end the token that its caller showed: its answer is given all the same, while
   * that of any other verb is for a caller who is still admitted.
   */
  public boolean mayEndTokenOfCaller() {
    return false;
  }

  /**
   * Refuses a caller who may not ask this of what it names. For a door that looks at more of a
   * request than its target; {@link #run} checks again.
   */
  public final void check(Ask ask, String target) {
    try {
      permit(ask, target);
    } catch (ErrandException e) {
      audit(ask, target, e.code().name());
      throw e;
    }
  }

  /** The same check, which leaves it to the caller to write a refusal into the audit. */
  final void permit(Ask ask, String target) {
    authorizer.check(access, ask, target);
  }

  /** Answers, or throws the refusal as an {@code ErrandException}. */
  public final A run(Ask ask, Q request) throws InterruptedException {
    var target = request.target();
    check(ask, target);
    var outcome = FAILED;
    try {
      var answer = answer(ask, request);
      outcome = outcome(answer);
      return answer;
    } catch (ErrandException e) {
      outcome = e.code().name();
      throw e;
    } catch (EarlierReply e) {
      outcome = OK;
      throw e;
    } finally {
      audit(ask, target, outcome);
    }
  }

  final void audit(Ask ask, String target, String outcome) {
    if (access.isAudited()) {
      Audit.controlled(ask.caller(), name, target, outcome);
    }
  }

  /** What the audit says of an answer: that there is one, or the id of what it made. */
  String outcome(A answer) {
    return OK;
  }

  /** What of many this call may be shown; all else is not there for it. */
  final Reached reached(Ask ask) {
    return authorizer.reached(ask);
  }

  abstract A answer(Ask ask, Q request) throws InterruptedException;
}
