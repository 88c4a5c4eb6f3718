package dev.errand.daemon.verb;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.policy.Profile;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskId;
import dev.errand.daemon.access.Grant;
import dev.errand.daemon.access.Tokens;
import dev.errand.daemon.compute.ComputePool;
import dev.errand.daemon.compute.Share;
import dev.errand.daemon.task.Requester;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The caller: the name that frames and the audit show, its default session, its profile, where it
 * comes from, and its token.
 *
 * @param grant the rights of its token; null for a peer without one
 * @param boundTo the only session that this caller may see; null: all
 */
public record Caller(
    String principal,
    SessionId session,
    Profile profile,
    Peer peer,
    @Nullable Grant grant,
    @Nullable SessionId boundTo) {

  /** The process at the other end, whatever token it presents. */
  public sealed interface Peer {
    /** A process on the network, which only a token identifies. */
    record Remote() implements Peer {}

    /** A process of this user that belongs to no task. */
    record Local() implements Peer {}

    /** A process of this task. */
    record OfTask(TaskId taskId) implements Peer {}

    /** A process of a task, but it is not known of which. */
    record OfUnknownTask() implements Peer {}
  }

  /** The caller of a request that needs no authentication. */
  public static final Caller NOBODY =
      new Caller("nobody", new SessionId("nobody"), Profile.SAFE, new Peer.Remote(), null, null);

  /** A process at the Unix socket that belongs to no task. */
  public static final Caller PERSON =
      new Caller("cli", new SessionId("cli"), Profile.FULL_AUTO, new Peer.Local(), null, null);

  /** A caller on the network, before it presents a token. */
  static final Caller REMOTE =
      new Caller("tcp", new SessionId("tcp"), Profile.FULL_AUTO, new Peer.Remote(), null, null);

  public static Caller task(TaskId taskId, SessionId session, Profile profile) {
    var peer = new Peer.OfTask(taskId);
    return new Caller("task:" + taskId.value(), session, profile, peer, null, null);
  }

  /** A process of an unknown task. */
  public static Caller unknownTask(Profile profile) {
    var session = new SessionId("unknown-task");
    return new Caller("task:unknown", session, profile, new Peer.OfUnknownTask(), null, null);
  }

  /** The same peer with a token: with the rights of the token, but not more than before. */
  public Caller with(Grant shown) {
    if (shown.session() != null) {
      mustSee(shown.session());
    }
    return new Caller(
        shown.name(),
        boundTo == null ? shown.home() : boundTo,
        shown.profile().atMost(profile),
        peer,
        shown,
        boundTo == null ? shown.session() : boundTo);
  }

  /**
   * The same caller with fewer rights: never more than it had. {@link Authenticator#narrowed}
   * checks that the name belongs to no other caller.
   *
   * @param most the highest profile of the result
   * @param only the only session of the result; null: as before
   * @param as the name of the result; null: the caller's own
   */
  Caller narrowed(Profile most, @Nullable SessionId only, @Nullable String as) {
    if (as != null && !SessionId.isValid(as)) {
      throw new ErrandException(
          ErrorCode.INVALID_REQUEST,
          "a principal has 1 to 64 letters, digits, '.', '_' or '-', and begins with a letter or"
              + " digit; not: "
              + Printable.of(as));
    }
    if (only != null) {
      mustSee(only);
    }
    return new Caller(
        as == null ? principal : as,
        only == null ? session : only,
        profile.atMost(most),
        peer,
        grant,
        only == null ? boundTo : only);
  }

  /** Whether it is a process of a task, also if it is not known of which. */
  public boolean inTask() {
    return switch (peer) {
      case Peer.Remote _, Peer.Local _ -> false;
      case Peer.OfTask _, Peer.OfUnknownTask _ -> true;
    };
  }

  /** The task as which it acts, if it is known. */
  public @Nullable TaskId actingAs() {
    return peer instanceof Peer.OfTask(var taskId) ? taskId : null;
  }

  /** Its door, as the audit names it. */
  String door() {
    return peer instanceof Peer.Remote ? "tcp" : "unix";
  }

  /** Whether this caller belongs to one session, by its token or as a task of it. */
  public boolean isKept() {
    return boundTo != null || inTask();
  }

  /** Whether this caller may command the daemon as a whole. */
  public boolean isOwner() {
    return profile == Profile.FULL_AUTO && !isKept();
  }

  /** Whether this is the caller's own session, or it commands the daemon as a whole. */
  boolean owns(SessionId which) {
    return isOwner() || session.equals(which);
  }

  /**
   * The identity in which this caller manages tokens. A task may not manage them, since tokens
   * outlive it; nor may a caller with narrowed rights, since a new token would restore them.
   */
  public Tokens.Manager tokenManager() {
    if (inTask()) {
      throw new ErrandException(
          ErrorCode.FORBIDDEN, "tokens outlive tasks, so a task may not manage them");
    }
    if (grant == null && isOwner()) {
      return new Tokens.Manager.Owner(principal);
    }
    if (grant == null
        || grant.profile() != profile
        || !Objects.equals(grant.session(), boundTo)
        || !grant.name().equals(principal)) {
      throw new ErrandException(
          ErrorCode.FORBIDDEN, "a caller with narrowed rights may not manage tokens");
    }
    return new Tokens.Manager.Holder(grant);
  }

  /** This caller's share of the processors; the owner's work has priority. */
  public Share share(ComputePool pool) {
    return pool.share(principal, isOwner());
  }

  /** Whether this caller is not limited to another session. */
  public boolean sees(SessionId wanted) {
    return requester().sees(wanted);
  }

  /** Refuses a caller that is limited to another session. */
  public void mustSee(SessionId wanted) {
    requester().mustSee(wanted);
  }

  /** The same for callers that start tasks. */
  Requester requester() {
    return new Requester(principal, actingAs(), boundTo);
  }
}
