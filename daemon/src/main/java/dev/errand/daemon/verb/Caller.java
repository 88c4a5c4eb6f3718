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
 * Who asks: the name that frames and the audit show, the session that is meant by default, how far
 * it is trusted, where it comes from, and the token that it showed.
 *
 * @param grant what its token is good for; null for a peer without one
 * @param boundTo the only session that this caller may see; null where it may see all
 */
public record Caller(
    String principal,
    SessionId session,
    Profile profile,
    Peer peer,
    @Nullable Grant grant,
    @Nullable SessionId boundTo) {

  /** Who is at the other end, whatever token it shows. */
  public sealed interface Peer {
    /** Somebody on the network, who is known by a token only. */
    record Remote() implements Peer {}

    /** A process of this user that belongs to no task. */
    record Local() implements Peer {}

    /** A process of this task. */
    record OfTask(TaskId taskId) implements Peer {}

    /** A process of a task, but it is not known of which. */
    record OfUnknownTask() implements Peer {}
  }

  /** Of a request that is open to all, so it was not asked who sent it. */
  public static final Caller NOBODY =
      new Caller("nobody", new SessionId("nobody"), Profile.SAFE, new Peer.Remote(), null, null);

  /** Someone at the Unix socket whose process belongs to no task. */
  public static final Caller PERSON =
      new Caller("cli", new SessionId("cli"), Profile.FULL_AUTO, new Peer.Local(), null, null);

  /** Someone on the network, before a token was shown. */
  static final Caller REMOTE =
      new Caller("tcp", new SessionId("tcp"), Profile.FULL_AUTO, new Peer.Remote(), null, null);

  public static Caller task(TaskId taskId, SessionId session, Profile profile) {
    var peer = new Peer.OfTask(taskId);
    return new Caller("task:" + taskId.value(), session, profile, peer, null, null);
  }

  /** A process of a task that cannot be told from others. */
  public static Caller unknownTask(Profile profile) {
    var session = new SessionId("unknown-task");
    return new Caller("task:unknown", session, profile, new Peer.OfUnknownTask(), null, null);
  }

  /** The same peer with a token: its rights are those of the token, and not more than before. */
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
   * The same caller with fewer rights: never more than it had. Whether somebody else has this name
   * is for {@link Authenticator#narrowed} to check.
   *
   * @param most the highest profile that it is to have
   * @param only the session that it is to be kept to; null: as before
   * @param as the name under which it acts; null: its own
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

  /** Whether it is a process of a task, also where it is not known of which. */
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

  /** The door that it came through, as the audit names it. */
  String door() {
    return peer instanceof Peer.Remote ? "tcp" : "unix";
  }

  /**
   * The session that is meant where none is named. One that is usual for what is asked stands for
   * the caller's own only where nothing keeps the caller to that.
   */
  public SessionId sessionOr(@Nullable SessionId usual) {
    return usual == null || isKept() ? session : usual;
  }

  /** Whether this caller belongs to one session, by its token or as a task of it. */
  public boolean isKept() {
    return boundTo != null || inTask();
  }

  /** Whether the daemon as a whole is this caller's to command. */
  public boolean isOwner() {
    return profile == Profile.FULL_AUTO && !isKept();
  }

  /**
   * As whom this caller manages tokens. A task may not, since tokens outlive it; nor may a caller
   * that was given fewer rights than its token or its place has, since a token would give them
   * back.
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

  /** What this caller has of the processors; the owner's work goes first. */
  public Share share(ComputePool pool) {
    return pool.share(principal, isOwner());
  }

  /** Whether nothing keeps this caller to another session. */
  public boolean sees(SessionId wanted) {
    return requester().sees(wanted);
  }

  /** Refuses a caller who sees another session only. */
  public void mustSee(SessionId wanted) {
    requester().mustSee(wanted);
  }

  /** The same for those who start tasks. */
  Requester requester() {
    return new Requester(principal, actingAs(), boundTo);
  }
}
