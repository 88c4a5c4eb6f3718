package dev.errand.daemon.verb;

import dev.errand.core.error.ErrandException;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskId;

/**
 * One operation of the daemon, the same at every door: a typed request in, a typed answer out.
 * Access is checked here, before anything else, and every change is written to the audit.
 *
 * @param <Q> the request
 * @param <A> the answer
 */
public abstract class Verb<Q extends Verb.Request, A> {

  /** A request to a verb. */
  public interface Request {
    /** The id or name of its target; empty if it has no single target. */
    String target();
  }

  /** A request about one existing task. */
  public interface OfTask extends Request {
    TaskId taskId();

    @Override
    default String target() {
      return taskId().value();
    }
  }

  /** A request about one session. */
  public interface OfSession extends Request {
    SessionId sessionId();

    @Override
    default String target() {
      return sessionId().value();
    }
  }

  /** A request without a target. */
  public interface OfNothing extends Request {
    @Override
    default String target() {
      return "";
    }
  }

  /** The audit's outcome of what was done. */
  static final String OK = "ok";

  /** The audit's outcome of a call that was aborted: neither done nor refused. */
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
   * Whether it may end the token that its caller presented: its answer is still given, while the
   * answer of any other verb requires a caller who is still admitted.
   */
  public boolean mayEndTokenOfCaller() {
    return false;
  }

  /**
   * Refuses a caller without access to the target. For a door that reads more of a request than its
   * target; {@link #run} checks again.
   */
  public final void check(Ask ask, String target) {
    try {
      permit(ask, target);
    } catch (ErrandException e) {
      audit(ask, target, e.code().name());
      throw e;
    }
  }

  /** The same check, but the calling code writes a refusal to the audit. */
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

  /** The audit's outcome of an answer: done, or the id of what was created. */
  String outcome(A answer) {
    return OK;
  }

  /** The filter of what this call may be shown; everything else does not exist for it. */
  final ReachFilter reached(Ask ask) {
    return authorizer.reached(ask);
  }

  abstract A answer(Ask ask, Q request) throws InterruptedException;
}
