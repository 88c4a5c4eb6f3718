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

/** Says who a caller is, by the process at the other end of its socket and the token it shows. */
public final class Authenticator {
  private final Engine engine;
  private final Tokens tokens;
  private final TaskProcesses processes;

  public Authenticator(Engine engine, Tokens tokens, TaskProcesses processes) {
    this.engine = engine;
    this.tokens = tokens;
    this.processes = processes;
  }

  /** The caller on the network who shows this token. */
  public Caller withToken(String token) {
    return withToken(Caller.REMOTE, token);
  }

  /** The same peer with what the token is good for, and not more than it had. */
  public Caller withToken(Caller peer, String token) {
    return peer.with(
        tokens
            .grantOf(token)
            .orElseThrow(() ->
                new ErrandException(
                    ErrorCode.UNAUTHENTICATED, "this token is not valid; read it again")));
  }

  /**
   * The same caller with fewer rights, for a door that was started so.
   *
   * @param most the highest profile that it is to have
   * @param only the session that it is to be kept to; null: as before
   * @param as the name under which it acts, which nobody else may have: repeated requests are known
   *     by it; null: its own
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

  /** Whether the token that a caller showed before is still good. */
  public boolean admits(Caller caller) {
    return admits(tokens, caller);
  }

  static boolean admits(Tokens tokens, Caller caller) {
    var grant = caller.grant();
    return grant == null || tokens.holds(grant);
  }

  /** Refuses a caller whose token was taken back since it was shown. */
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
    return switch (processes.whose(pid.getAsLong())) {
      case TaskProcesses.Whose.Tasks(var taskId) -> task(taskId);
      case TaskProcesses.Whose.Unknown _ -> throw leftOver();
      case TaskProcesses.Whose.Unmarked _ -> Caller.unknownTask(lowestRunning());
      case TaskProcesses.Whose.Nobodys _ -> person(pid.getAsLong());
    };
  }

  /** Looked at last: of one that lives until now, all signs were there to be seen. */
  private static Caller person(long pid) {
    if (ProcFs.stat(pid).isEmpty()) {
      throw forbidden(
          "the process that opened this connection has ended, so it is not known whose it was; let"
              + " one connect that waits for the answer");
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
   * Whatever task it is of, it gets no more than it had there. A claimed one may have a process
   * already that is not recorded yet.
   */
  private Profile lowestRunning() {
    return engine.live().stream()
        .filter(it ->
            it.state() instanceof TaskState.Running || it.state() instanceof TaskState.Claimed)
        .map(it -> profile(((TaskState.Present) it.state()).facts().spec().ruling()))
        .reduce(Profile::atMost)
        .orElseThrow(Authenticator::leftOver);
  }

  /** A task has what its caller had; one that was never judged is of an older program. */
  private static Profile profile(@Nullable Ruling ruling) {
    return ruling == null ? Profile.SAFE : ruling.profile();
  }

  private static ErrandException forbidden(String detail) {
    return new ErrandException(ErrorCode.FORBIDDEN, detail);
  }
}
