package dev.errand.daemon.access;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.policy.Profile;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskId;
import dev.errand.daemon.compute.ComputePool;
import dev.errand.daemon.compute.Share;
import org.jspecify.annotations.Nullable;

/**
 * Who asks: the name that frames and the audit show, the session that is meant by default, how far
 * it is trusted, the task whose process it is, if it is one, and the token that it showed.
 *
 * @param inTask whether it is a process of a task, also where it is not known of which
 */
public record Caller(
    String principal,
    SessionId session,
    Profile profile,
    @Nullable TaskId actingAs,
    @Nullable Grant grant,
    boolean inTask) {

  /** Of a request to a route that is open to all, so nobody asked who it is. */
  public static final Caller NOBODY =
      new Caller("nobody", new SessionId("nobody"), Profile.SAFE, null, null, false);

  /** Someone at the Unix socket who is no task of ours. */
  public static final Caller PERSON =
      new Caller("cli", new SessionId("cli"), Profile.FULL_AUTO, null, null, false);

  public static Caller task(TaskId taskId, SessionId session, Profile profile) {
    return new Caller("task:" + taskId.value(), session, profile, taskId, null, true);
  }

  /** A process of some task of ours, nobody knows of which. */
  public static Caller unknownTask(Profile profile) {
    return new Caller("task:unknown", new SessionId("unknown-task"), profile, null, null, true);
  }

  /** The same peer with a token: its rights are those of the token, and not more than before. */
  public Caller with(Grant shown) {
    return new Caller(
        shown.name(), shown.home(), shown.profile().atMost(profile), actingAs, shown, inTask);
  }

  /**
   * The session that is meant where none is named. One that is usual where he asks stands for his
   * own only if nothing keeps him to that.
   */
  public SessionId sessionOr(@Nullable SessionId usual) {
    return usual == null || isKept() ? session : usual;
  }

  /** Whether this caller belongs to one session, by his token or as a task of it. */
  public boolean isKept() {
    return boundTo() != null || inTask;
  }

  /** The only session that this caller may see; null where it may see all. */
  public @Nullable SessionId boundTo() {
    return grant == null ? null : grant.session();
  }

  /** Whether the daemon as a whole is this caller's to command. */
  public boolean isOwner() {
    return profile == Profile.FULL_AUTO && !inTask && boundTo() == null;
  }

  /** What this caller has of the processors; the owner's work goes first. */
  public Share share(ComputePool pool) {
    return pool.share(principal, isOwner());
  }

  /** Whether nothing keeps this caller to another session. */
  public boolean sees(SessionId wanted) {
    var bound = boundTo();
    return bound == null || bound.equals(wanted);
  }

  /** Refuses a caller who sees another session only. */
  public void mustSee(SessionId wanted) {
    var bound = boundTo();
    if (bound != null && !sees(wanted)) {
      throw new ErrandException(
          ErrorCode.FORBIDDEN, "this token is for session " + bound.value() + " only");
    }
  }
}
