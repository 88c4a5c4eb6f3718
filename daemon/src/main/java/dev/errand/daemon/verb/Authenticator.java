package dev.errand.daemon.verb;

import dev.errand.core.engine.Engine;
import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.policy.Profile;
import dev.errand.core.task.Ruling;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskState;
import dev.errand.daemon.access.TaskProcesses;
import dev.errand.daemon.access.Tokens;
import dev.errand.host.linux.PeerProcess;
import dev.errand.host.linux.ProcFs;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/** Identifies a caller by the process at the other end of its socket and by its token. */
public final class Authenticator {
  private final Engine engine;
  private final Tokens tokens;
  private final TaskProcesses processes;

  public Authenticator(Engine engine, Tokens tokens, TaskProcesses processes) {
    this.engine = engine;
    this.tokens = tokens;
    this.processes = processes;
  }

  /** The caller on the network with this token. */
  public Caller withToken(String token) {
    return withToken(Caller.REMOTE, token);
  }

  /** The same peer with the rights of the token, but not more than it had. */
  public Caller withToken(Caller peer, String token) {
    return peer.with(
        tokens
            .grantOf(token)
            .orElseThrow(() ->
                new ErrandException(
                    ErrorCode.UNAUTHENTICATED, "this token is not valid; read it again")));
  }

  /**
   * The same caller with fewer rights, for a door that was started with a limit.
   *
   * @param most the highest profile of the result
   * @param only the only session of the result; null: as before
   * @param as the name of the result, which no other caller may have, since it identifies repeated
   *     requests; null: the caller's own
   */
  public Caller narrowed(
      Caller caller, Profile most, @Nullable SessionId only, @Nullable String as) {
    if (as != null && !as.equals(caller.principal()) && isTaken(as)) {
      throw forbidden("the name " + Printable.of(as) + " belongs to another caller");
    }
    return caller.narrowed(most, only, as);
  }

  private boolean isTaken(String name) {
    return name.equals(Caller.REMOTE.principal()) || tokens.knows(name);
  }

  /** Whether the token that a caller presented before is still valid. */
  public boolean admits(Caller caller) {
    return admits(tokens, caller);
  }

  static boolean admits(Tokens tokens, Caller caller) {
    var grant = caller.grant();
    return grant == null || tokens.holds(grant);
  }

  /** Refuses a caller whose token was revoked meanwhile. */
  public void checkStillAdmitted(Caller caller) {
    if (!admits(caller)) {
      throw Tokens.takenBack();
    }
  }

  /** A process of a task acts as that task, whatever its user may do at a terminal. */
  public Caller peer(SocketChannel channel) {
    var pid = PeerProcess.pid(channel);
    if (pid.isEmpty()) {
      return Caller.PERSON;
    }
    return switch (processes.ownerOf(pid.getAsLong())) {
      case TaskProcesses.Owner.Task(var taskId) -> task(taskId);
      case TaskProcesses.Owner.Unknown _ -> throw leftOver();
      case TaskProcesses.Owner.Unmarked _ -> Caller.unknownTask(lowestRunning());
      case TaskProcesses.Owner.None _ -> person(pid.getAsLong());
    };
  }

  /** Checked last: for a process that is still alive all signs were visible. */
  private static Caller person(long pid) {
    if (ProcFs.stat(pid).isEmpty()) {
      throw forbidden(
          "the process that opened this connection has ended, so its task is unknown; connect from"
              + " a process that waits for the answer");
    }
    return Caller.PERSON;
  }

  private static ErrandException leftOver() {
    return forbidden(
        "this process is left over from a task that is not known here any more, so it may do"
            + " nothing; start it as a task of its own");
  }

  private Caller task(TaskId taskId) {
    return switch (engine.snapshot(taskId).state()) {
      case TaskState.Absent _ -> throw leftOver();
      case TaskState.Present it ->
          Caller.task(
              taskId, it.facts().spec().origin().sessionId(), profile(it.facts().spec().ruling()));
    };
  }

  /**
   * Whichever task it belongs to, it has no more rights than that task. A claimed task may have a
   * process that is not recorded yet.
   */
  private Profile lowestRunning() {
    return engine.live().stream()
        .filter(it ->
            it.state() instanceof TaskState.Running || it.state() instanceof TaskState.Claimed)
        .map(it -> profile(((TaskState.Present) it.state()).facts().spec().ruling()))
        .reduce(Profile::atMost)
        .orElseThrow(Authenticator::leftOver);
  }

  /**
   * A task has the profile of its caller; one that was never judged comes from an older program.
   */
  private static Profile profile(@Nullable Ruling ruling) {
    return ruling == null ? Profile.SAFE : ruling.profile();
  }

  private static ErrandException forbidden(String detail) {
    return new ErrandException(ErrorCode.FORBIDDEN, detail);
  }
}
