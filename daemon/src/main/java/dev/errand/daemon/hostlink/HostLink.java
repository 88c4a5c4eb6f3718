package dev.errand.daemon.hostlink;

import dev.errand.core.engine.Engine;
import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.task.Command;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskState;
import dev.errand.core.time.Time;
import dev.errand.daemon.task.CommandRunner.Applied;
import dev.errand.daemon.task.CommandRunner.ResizeRequest;
import dev.errand.daemon.task.CommandRunner.SignalRequest;
import dev.errand.daemon.task.CommandRunner.StdinRequest;
import dev.errand.host.linux.ProcFs;
import dev.errand.host.protocol.Answer;
import dev.errand.host.protocol.HostClient;
import dev.errand.host.protocol.HostReply;
import dev.errand.host.protocol.HostRequest;
import dev.errand.host.protocol.HostUnreachable;
import dev.errand.host.protocol.RefusalCode;
import dev.errand.host.record.AttemptId;
import dev.errand.host.record.Data;
import dev.errand.wire.fault.Failpoint;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One living host: it gets the requests that follow from the states of its tasks, repeated if
 * necessary, since every request is harmless the second time.
 */
final class HostLink {
  private static final Logger log = LoggerFactory.getLogger(HostLink.class);

  private final HostFolder folder;
  private final Engine engine;
  private final RecordPump pump;
  private final HostPool.Sending sending;
  private final Time clock;
  private volatile @Nullable Connection connection;
  private volatile String build = "";
  private volatile boolean hasTerminals;
  private volatile ProcFs.@Nullable Stat process;
  private volatile String refusal = "";
  private volatile List<HostReply.Left> left = List.of();

  /** A connection may end at any moment, also right after it was made. */
  private record Connection(HostClient client, CountDownLatch over) {
    boolean isOpen() {
      return client.isOpen();
    }
  }

  HostLink(
      HostFolder folder, Engine engine, RecordPump pump, HostPool.Sending sending, Time clock) {
    this.folder = folder;
    this.engine = engine;
    this.pump = pump;
    this.sending = sending;
    this.clock = clock;
  }

  String id() {
    return folder.id();
  }

  HostFolder folder() {
    return folder;
  }

  RecordPump pump() {
    return pump;
  }

  String build() {
    return build;
  }

  /** Whether this is the process of the host, as it was at the last connection. */
  boolean isProcess(ProcFs.Stat other) {
    var own = process;
    return own != null && own.pid() == other.pid() && own.startTicks() == other.startTicks();
  }

  /** The processes that run outside of tasks, as the host last reported them. */
  List<HostReply.Left> left() {
    return left;
  }

  boolean isConnected() {
    var last = connection;
    return last != null && last.isOpen();
  }

  /** Without a free file descriptor the lock cannot be checked, which proves nothing. */
  boolean isDead(Instant now) {
    try {
      return folder.isDead(now);
    } catch (IOException e) {
      log.warn("cannot check whether host {} is alive", id(), e);
      return false;
    }
  }

  /** Connects and introduces itself; a host of another journal is refused by the host itself. */
  void connect(String journalId, String ownBuild, Duration answerMax)
      throws HostUnreachable, InterruptedException {
    var over = new CountDownLatch(1);
    var client =
        HostClient.connect(
            folder.address(), clock, answerMax, pump::hint, it -> left = it, over::countDown);
    var welcomed = false;
    try {
      switch (client.hello(journalId, ownBuild)) {
        case Answer.Done<HostReply.Welcome>(var welcome) -> {
          build = welcome.build();
          process = ProcFs.stat(welcome.pid()).orElse(null);
          hasTerminals = welcome.features().contains(HostClient.TERMINALS);
          connection = new Connection(client, over);
          welcomed = true;
        }
        case Answer.Refused<HostReply.Welcome> it -> {
          refusal = it.message();
          throw new HostUnreachable("host " + id() + " refuses: " + it.message(), null);
        }
      }
    } finally {
      if (!welcomed) {
        client.close();
      }
    }
  }

  /** Why the host refuses this daemon, which is of another journal; else empty. */
  String refusal() {
    return refusal;
  }

  void awaitClosed() throws InterruptedException {
    var last = connection;
    if (last != null) {
      last.over().await();
    }
  }

  void disconnect() {
    var last = connection;
    if (last != null) {
      last.client().close();
    }
  }

  /**
   * Sends the request that the task's state requires; to be called whenever that may be missing.
   */
  void drive(TaskId taskId) throws InterruptedException {
    try {
      switch (engine.snapshot(taskId).state()) {
        case TaskState.Claimed it when belongsHere(it.attempt()) -> driveClaimed(taskId, it);
        case TaskState.Running it when belongsHere(it.attempt()) && it.facts().cancel() != null ->
            cancel(taskId, it.attempt(), it.facts().cancel().reason());
        case TaskState.Claimed _,
            TaskState.Running _,
            TaskState.Absent _,
            TaskState.Held _,
            TaskState.Queued _,
            TaskState.Ended _ -> {}
      }
    } catch (HostUnreachable e) {
      log.info("host {} cannot be reached for task {}; the request will be repeated", id(), taskId);
    }
  }

  private void driveClaimed(TaskId taskId, TaskState.Claimed state)
      throws HostUnreachable, InterruptedException {
    var cancel = state.facts().cancel();
    if (cancel != null) {
      cancel(taskId, state.attempt(), cancel.reason());
      return;
    }
    if (state.facts().spec().isUnreadable()) {
      return;
    }
    if (state.facts().spec().work().terminal() != null && !hasTerminals) {
      log.warn(
          "host {} is older and has no terminals; cancel task {} and spawn it again", id(), taskId);
      return;
    }
    switch (state.facts().spec().work()) {
      case Command it -> spawn(taskId, state, it);
    }
  }

  private void spawn(TaskId taskId, TaskState.Claimed state, Command command)
      throws HostUnreachable, InterruptedException {
    Failpoint.DAEMON_CLAIMED.pass();
    var answer = connected().spawn(SpawnRequests.of(taskId, state, command, sending));
    if (answer instanceof Answer.Refused<HostReply.Spawned> it
        && !it.code().equals(RefusalCode.FORGOTTEN)) {
      log.warn("host {} refused to start task {}: {}", id(), taskId, it.message());
    }
  }

  /** Withdraws the attempt if no start is known yet; if that is too late, kills it. */
  void cancel(TaskId taskId, TaskState.Attempt attempt, String reason)
      throws HostUnreachable, InterruptedException {
    var attemptId = new AttemptId(taskId, attempt.number());
    var forgotten = connected().forget(new HostRequest.Forget(attemptId));
    if (forgotten instanceof Answer.Done<HostReply.Ok>) {
      return;
    }
    var answer = connected().cancel(new HostRequest.Cancel(attemptId, null, reason));
    if (answer instanceof Answer.Refused<HostReply.Cancelling> it) {
      log.warn("host {} refused to cancel task {}: {}", id(), taskId, it.message());
    }
  }

  /**
   * Withdraws the attempt if it has not begun; true if the host answers that it will not run from
   * now on.
   */
  boolean withdraw(TaskId taskId, TaskState.Attempt attempt) throws InterruptedException {
    var attemptId = new AttemptId(taskId, attempt.number());
    try {
      return switch (connected().forget(new HostRequest.Forget(attemptId))) {
        case Answer.Done<HostReply.Ok> _ -> true;
        case Answer.Refused<HostReply.Ok> it -> it.code().equals(RefusalCode.ENDED);
      };
    } catch (HostUnreachable e) {
      return false;
    }
  }

  Applied signal(TaskId taskId, TaskState.Attempt attempt, SignalRequest request)
      throws HostUnreachable, InterruptedException {
    var attemptId = new AttemptId(taskId, attempt.number());
    var answer =
        connected()
            .signal(
                new HostRequest.Signal(attemptId, request.opId(), request.signal(), request.by()));
    return switch (answer) {
      case Answer.Done<HostReply.Signalled>(var done) -> new Applied(done.n(), 0);
      case Answer.Refused<HostReply.Signalled> it -> throw refusal(it);
    };
  }

  Applied input(TaskId taskId, TaskState.Attempt attempt, StdinRequest request)
      throws HostUnreachable, InterruptedException {
    var attemptId = new AttemptId(taskId, attempt.number());
    var data = Data.of(request.data());
    var answer =
        connected()
            .stdin(
                new HostRequest.Stdin(
                    attemptId,
                    request.opId(),
                    data,
                    request.eof(),
                    request.secret(),
                    request.by()));
    return switch (answer) {
      case Answer.Done<HostReply.StdinWritten>(var done) ->
          new Applied(done.n(), (int) done.bytesWritten());
      case Answer.Refused<HostReply.StdinWritten> it when it.n() > 0 ->
          new Applied(it.n(), (int) it.bytesWritten(), refusal(it));
      case Answer.Refused<HostReply.StdinWritten> it -> throw refusal(it);
    };
  }

  Applied resize(TaskId taskId, TaskState.Attempt attempt, ResizeRequest request)
      throws HostUnreachable, InterruptedException {
    var attemptId = new AttemptId(taskId, attempt.number());
    var answer =
        connected()
            .resize(
                new HostRequest.Resize(attemptId, request.opId(), request.size(), request.by()));
    return switch (answer) {
      case Answer.Done<HostReply.Resized>(var done) -> new Applied(done.n(), 0);
      case Answer.Refused<HostReply.Resized> it -> throw refusal(it);
    };
  }

  HostReply.Swept sweep(HostRequest.Sweep request) throws HostUnreachable, InterruptedException {
    return switch (connected().sweep(request)) {
      case Answer.Done<HostReply.Swept>(var swept) -> swept;
      case Answer.Refused<HostReply.Swept> it ->
          throw new HostUnreachable("host " + id() + " refuses to sweep: " + it.message(), null);
    };
  }

  /** Lets the host delete records that the journal has. */
  void consumed(long segment) {
    try {
      var last = connection;
      if (last != null) {
        last.client().consumed(segment);
      }
    } catch (HostUnreachable e) {
      log.debug("host {} did not get the number of consumed segment {}", id(), segment, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  HostReply.@Nullable Statistics statistics() throws InterruptedException {
    try {
      var answer = connected().stats();
      return answer instanceof Answer.Done<HostReply.Statistics>(var it) ? it : null;
    } catch (HostUnreachable e) {
      return null;
    }
  }

  /** Ends the host, with its tasks or only if it has none; true if it accepted. */
  boolean shutdown(boolean kill) throws InterruptedException {
    try {
      return connected().shutdown(kill) instanceof Answer.Done<HostReply.Ok>;
    } catch (HostUnreachable e) {
      return false;
    }
  }

  private boolean belongsHere(TaskState.Attempt attempt) {
    return attempt.hostId().equals(id());
  }

  private HostClient connected() throws HostUnreachable {
    var last = connection;
    if (last == null || !last.isOpen()) {
      throw new HostUnreachable("host " + id() + " is not connected", null);
    }
    return last.client();
  }

  private static ErrandException refusal(Answer.Refused<?> refused) {
    var code =
        switch (refused.code()) {
          case RefusalCode.NO_STDIN -> ErrorCode.NO_STDIN;
          case RefusalCode.STDIN_CLOSED -> ErrorCode.STDIN_CLOSED;
          case RefusalCode.STDIN_FULL -> ErrorCode.STDIN_FULL;
          case RefusalCode.ENDED, RefusalCode.UNKNOWN_TASK -> ErrorCode.TASK_ENDED;
          case RefusalCode.NOT_STARTED -> ErrorCode.TASK_NOT_RUNNING;
          case RefusalCode.BAD_REQUEST, RefusalCode.LINE_TOO_LONG, RefusalCode.NO_TERMINAL ->
              ErrorCode.INVALID_REQUEST;
          default -> ErrorCode.INTERNAL_ERROR;
        };
    return new ErrandException(
        code, refused.message(), Map.of("bytes_written", refused.bytesWritten()));
  }
}
