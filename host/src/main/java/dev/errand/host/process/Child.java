package dev.errand.host.process;

import dev.errand.core.task.LogStream;
import dev.errand.host.linux.Descriptors;
import dev.errand.host.linux.ExitStatus;
import dev.errand.host.linux.KernelException;
import dev.errand.host.linux.Poller;
import dev.errand.host.linux.PosixSignal;
import dev.errand.host.linux.ProcFs;
import dev.errand.host.linux.Processes;
import dev.errand.host.linux.Terminals;
import dev.errand.host.log.LogWriter;
import dev.errand.host.protocol.Answer;
import dev.errand.host.protocol.HostReply;
import dev.errand.host.protocol.HostRequest;
import dev.errand.host.protocol.RefusalCode;
import dev.errand.host.record.HostRecord;
import dev.errand.host.redact.Secrets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A running process, from its start to its exit record. All its state belongs to the thread of its
 * loop.
 *
 * <p>Its life: running; then exited, when the leader is a zombie and we read what the pipes still
 * hold, for a bounded time; then ending, when {@link ExitSequence} does the slow rest; then over.
 */
final class Child {
  /** How much of a full pipe is read after the exit; a leftover process could write for ever. */
  private static final int LAST_READS_MAX = 64;

  /** How much is read before an operation; later output is recorded after it. */
  private static final int SETTLED_BYTES_MAX = IoLoop.BUFFER_BYTES;

  private static final Duration GROUP_PAUSE = Duration.ofMillis(25);

  private final IoLoop loop;
  private final HostServices services;
  private final Recorder recorder;
  private final Launched process;
  private final HostRequest.Limits limits;
  private final List<OutputPump> pumps;
  private final @Nullable StdinPipe stdin;
  private final SignalTarget target;
  private final Escalation escalation;
  private final Sweeper.AttemptIdentity identity;
  private final ExitSequence ending;
  private final Operations operations = new Operations();
  private final Runnable onClosed;
  private CompletableFuture<Boolean> lastSignal = CompletableFuture.completedFuture(true);
  private @Nullable ExitStatus exit;
  private boolean isEnding;
  private boolean streamsClosed;
  private boolean toldClosed;
  private long lastSignNanos;
  private Timers.@Nullable Timer wallTimer;
  private Timers.@Nullable Timer idleTimer;
  private Timers.@Nullable Timer drainTimer;

  /** Is called with the last record, and when the last descriptor is closed. */
  Child(Start start, IoLoop loop, HostServices services, LongConsumer onEnded, Runnable onClosed) {
    this.loop = loop;
    this.lastSignNanos = loop.now();
    this.onClosed = onClosed;
    this.services = services;
    this.recorder = start.recorder();
    this.process = start.process();
    var request = start.request();
    this.limits = request.limits();
    this.pumps = process.outputs().stream().map(it -> pump(start, it.stream(), it.fd())).toList();
    this.stdin = process.stdin() < 0 ? null : stdin(start);
    this.target =
        hasTerminal()
            ? SignalTarget.atTerminal(process.pid(), process.stdin())
            : SignalTarget.of(process.pid());
    this.escalation = new Escalation(loop, recorder, target);
    this.identity =
        new Sweeper.AttemptIdentity(
            request.id().taskId(), start.tag(), process.pid(), start.limiter() != null);
    this.ending = new ExitSequence(services, start, identity, onEnded);
  }

  /** What a child is created with. */
  record Start(
      HostRequest.Spawn request,
      Launched process,
      long tag,
      @Nullable TaskLimiter limiter,
      Orphans.Life life,
      Recorder recorder,
      Secrets secrets) {}

  private boolean hasTerminal() {
    return process.outputs().getFirst().stream() == LogStream.PTY;
  }

  private StdinPipe stdin(Start start) {
    var line = hasTerminal() ? new TypedLine(process.stdin()) : null;
    var rules = new StdinPipe.Rules(recorder, services.stdinTimeout(), start.secrets(), line);
    return new StdinPipe(loop, process.stdin(), rules, this::settle);
  }

  private OutputPump pump(Start start, LogStream stream, int fd) {
    var request = start.request();
    var offset = request.startOffsets().getOrDefault(stream, 0L);
    var cap = request.limits().capBytes();
    var log =
        new LogWriter(
            services.logs(), request.id().taskId(), stream, offset, cap, services.openLogs());
    var outlet =
        new OutputPump.Outlet(
            recorder, services.discarded(), services.openLogs(), start.secrets().redactor());
    var pump = new OutputPump(loop, fd, stream, log, outlet);
    services.syncer().add(pump.digest(), request.sync());
    return pump;
  }

  void begin() {
    for (var pump : pumps) {
      pump.watch(() -> readable(pump));
    }
    loop.watch(process.pidfd(), Poller.READABLE, this::exited);
    var wall = limits.wall();
    if (wall != null) {
      wallTimer = loop.after(wall, () -> passed("wall", wall));
    }
    var idle = limits.idle();
    if (idle != null) {
      idleTimer = loop.after(idle, () -> checkIdle(idle));
    }
  }

  private void readable(OutputPump pump) {
    // The process is not idle if the host does not read its output.
    if (pump.heldBack()) {
      lastSignNanos = loop.now();
      return;
    }
    read(pump);
    if (pump.ended()) {
      endIfDrained();
      tellIfClosed();
    }
  }

  /** The operations of a task may keep a stream in memory long after its end. */
  private void tellIfClosed() {
    if (streamsClosed && !toldClosed && pumps.stream().allMatch(OutputPump::ended)) {
      toldClosed = true;
      onClosed.run();
    }
  }

  private int read(OutputPump pump) {
    var count = pump.read();
    if (count > 0) {
      lastSignNanos = loop.now();
      checkCap(pump);
    }
    return count;
  }

  private void checkCap(OutputPump pump) {
    var kills = limits.onOutputLimit() == HostRequest.OnOutputLimit.KILL;
    if (kills && exit == null && !escalation.begun() && pump.bytesTotal() > limits.capBytes()) {
      recorder.add(it -> new HostRecord.LimitPassed(it, "output", limits.capBytes()));
      escalation.begin("output", limits.grace());
    }
  }

  private void passed(String limit, Duration value) {
    if (exit == null && !escalation.begun()) {
      recorder.add(it -> new HostRecord.LimitPassed(it, limit, value.toMillis()));
      escalation.begin(limit, limits.grace());
    }
  }

  private void checkIdle(Duration idle) {
    var due = lastSignNanos + idle.toNanos();
    if (loop.now() >= due) {
      passed("idle", idle);
    } else {
      idleTimer = loop.at(due, () -> checkIdle(idle));
    }
  }

  /** True if it is over already. A second request does not change the first. */
  boolean cancel(@Nullable Duration grace) {
    if (isEnding) {
      return ending.over();
    }
    if (escalation.begun()) {
      return false;
    }
    settle();
    if (exit == null) {
      escalation.begin("cancel", grace == null ? limits.grace() : grace);
      return false;
    }
    // The leader ended by itself; its other processes get no further grace.
    ending.killLeftovers();
    end();
    return false;
  }

  /** Ends the grace at once. */
  void kill() {
    if (isEnding) {
      return;
    }
    if (drainTimer != null) {
      ending.killLeftovers();
      end();
    } else {
      escalation.hasten("cancel");
    }
  }

  /** Whether an operation was applied whose answer is needed if it is repeated. */
  boolean hasOperations() {
    return operations.any();
  }

  CompletableFuture<Answer<HostReply.Signalled>> signal(HostRequest.Signal request) {
    var content = request.signal().hashCode();
    return operations.once("signal " + request.opId(), content, () -> signalNow(request));
  }

  private CompletableFuture<Answer<HostReply.Signalled>> signalNow(HostRequest.Signal request) {
    var signal = PosixSignal.ofName(request.signal());
    if (signal.isEmpty() || !Operations.SIGNALS.contains(signal.get())) {
      return refused(RefusalCode.BAD_REQUEST, "this signal cannot be sent: " + request.signal());
    }
    // One after the other, so that no CONT overtakes an earlier STOP that is still searching.
    var answer =
        lastSignal
            .thenCompose(_ -> outside(signal.get()))
            .thenApply(it -> signalNow(request, signal.get(), it));
    lastSignal = answer.handle((_, _) -> true);
    return answer;
  }

  /**
   * The processes that a signal to the group would not reach. The search comes before the signal,
   * because a process that dies of it takes away the evidence of which others belong to the task.
   * It runs on another thread, since it may be slow.
   */
  private CompletableFuture<List<ProcFs.Stat>> outside(PosixSignal signal) {
    if (isEnding || isKey(signal)) {
      return CompletableFuture.completedFuture(List.of());
    }
    return CompletableFuture.supplyAsync(
            () -> services.sweeper().outside(identity), services.looking())
        .exceptionally(Child::nobody)
        .thenApplyAsync(it -> it, loop::execute);
  }

  private static List<ProcFs.Stat> nobody(Throwable why) {
    System.err.println("host: a bug in the search for processes to signal: " + why);
    return List.of();
  }

  private Answer<HostReply.Signalled> signalNow(
      HostRequest.Signal request, PosixSignal signal, List<ProcFs.Stat> outside) {
    // Until then the leader is not reaped, so its group and the processes found below it belong to
    // the task.
    if (isEnding) {
      return new Answer.Refused<>(RefusalCode.ENDED, "the task has ended", 0);
    }
    settle();
    var reached = send(signal, outside);
    var place =
        recorder.add(it ->
            new HostRecord.Signalled(it, request.opId(), request.signal(), request.by(), reached));
    return new Answer.Done<>(new HostReply.Signalled(place.n()));
  }

  /** At a terminal INT and QUIT act as their keys do, also on input typed before. */
  private List<Long> send(PosixSignal signal, List<ProcFs.Stat> outside) {
    if (!isKey(signal)) {
      return target.send(signal, outside);
    }
    var key = signal == PosixSignal.INT ? Terminals.Key.INTR : Terminals.Key.QUIT;
    target.press(key, signal, stdin != null && stdin.isWaiting());
    return List.of();
  }

  private boolean isKey(PosixSignal signal) {
    return hasTerminal()
        && exit == null
        && (signal == PosixSignal.INT || signal == PosixSignal.QUIT);
  }

  CompletableFuture<Answer<HostReply.Resized>> resize(HostRequest.Resize request) {
    var content = request.size().hashCode();
    return operations.once("resize " + request.opId(), content, () -> resizeNow(request));
  }

  private CompletableFuture<Answer<HostReply.Resized>> resizeNow(HostRequest.Resize request) {
    if (!hasTerminal()) {
      return refused(RefusalCode.NO_TERMINAL, "the task has pipes and no terminal");
    }
    if (exit != null) {
      return refused(RefusalCode.ENDED, "the task has ended");
    }
    settle();
    lastSignNanos = loop.now();
    var size = request.size();
    try {
      Terminals.resize(process.stdin(), size.rows(), size.cols());
    } catch (KernelException e) {
      return refused(
          RefusalCode.INTERNAL, "the size of the terminal could not be changed: " + e.getMessage());
    }
    var offset = pumps.getFirst().settle();
    var place =
        recorder.add(it ->
            new HostRecord.Resized(
                it, request.opId(), size.rows(), size.cols(), request.by(), offset));
    return CompletableFuture.completedFuture(new Answer.Done<>(new HostReply.Resized(place.n())));
  }

  CompletableFuture<Answer<HostReply.StdinWritten>> stdin(HostRequest.Stdin request) {
    var content = Objects.hash(request.data(), request.eof());
    return operations.once("stdin " + request.opId(), content, () -> stdinNow(request));
  }

  private CompletableFuture<Answer<HostReply.StdinWritten>> stdinNow(HostRequest.Stdin request) {
    var pipe = stdin;
    if (pipe == null) {
      return refused(RefusalCode.NO_STDIN, "the task was started without standard input");
    }
    lastSignNanos = loop.now();
    return pipe.write(request);
  }

  private static <T> CompletableFuture<Answer<T>> refused(String code, String message) {
    return CompletableFuture.completedFuture(new Answer.Refused<>(code, message, 0));
  }

  /** Output before an operation is recorded before it. */
  private void settle() {
    for (var pump : pumps) {
      for (var bytes = 0; bytes < SETTLED_BYTES_MAX; ) {
        var count = read(pump);
        if (count == 0) {
          break;
        }
        bytes += count;
      }
      pump.settle();
    }
  }

  /** The leader is a zombie now, and stays one until its leftover processes are handled. */
  private void exited() {
    var status = Processes.peek(process.pid());
    if (status.isEmpty()) {
      return;
    }
    exit = status.get();
    loop.unwatch(process.pidfd());
    Descriptors.close(process.pidfd());
    cancelTimer(wallTimer);
    cancelTimer(idleTimer);
    escalation.end();
    target.leaveTerminal();
    if (stdin != null) {
      stdin.close("the process has exited");
    }
    pumps.forEach(OutputPump::leaderExited);
    pumps.forEach(this::readTheRest);
    if (escalation.begun()) {
      awaitGroup();
    } else {
      drain();
    }
  }

  /**
   * The other processes of the group got TERM too, so they keep their grace although the leader
   * ended first.
   */
  private void awaitGroup() {
    if (!escalation.inGrace()) {
      sweepAtOnce();
      return;
    }
    slowly(
        ending::lookAtGroup,
        () -> {
          if (ending.groupLives()) {
            loop.after(GROUP_PAUSE, this::awaitGroup);
          } else {
            sweepAtOnce();
          }
        });
  }

  private void readTheRest(OutputPump pump) {
    for (var i = 0; i < LAST_READS_MAX && read(pump) > 0; i++) {}
  }

  /** A killed leader's descendants are killed before they can do more. */
  private void sweepAtOnce() {
    var cause = escalation.cause();
    slowly(() -> ending.sweep(cause), this::drain);
  }

  /** Waits for streams that other processes hold open, up to the drain limit. */
  private void drain() {
    drainTimer = loop.after(limits.drain(), this::end);
    endIfDrained();
  }

  private void endIfDrained() {
    if (drainTimer != null && pumps.stream().allMatch(OutputPump::ended)) {
      end();
    }
  }

  private void end() {
    var status = exit;
    if (isEnding || status == null) {
      return;
    }
    isEnding = true;
    cancelTimer(drainTimer);
    var held = !pumps.stream().allMatch(OutputPump::ended);
    if (!held && ending.leavesNothing()) {
      closeStreams(status, false);
    } else {
      slowly(ending::settleLeftovers, () -> closeStreams(status, held));
    }
  }

  /** Runs the first step on another thread, then, even if it failed, the second on this loop. */
  private void slowly(Runnable elsewhere, Runnable here) {
    services
        .slow()
        .execute(() -> {
          try {
            elsewhere.run();
          } finally {
            loop.execute(here);
          }
        });
  }

  private void closeStreams(ExitStatus status, boolean held) {
    pumps.forEach(this::readTheRest);
    pumps.forEach(OutputPump::finish);
    if (!ending.keepsLeftovers()) {
      pumps.forEach(OutputPump::close);
    }
    streamsClosed = true;
    tellIfClosed();
    var digests = pumps.stream().map(OutputPump::digest).toList();
    var end =
        new ExitSequence.End(process.pid(), status, escalation.cause(), escalation.step(), held);
    if (ending.isQuick(digests)) {
      ending.finish(end, digests);
    } else {
      services.slow().execute(() -> ending.finish(end, digests));
    }
  }

  private void cancelTimer(Timers.@Nullable Timer timer) {
    if (timer != null) {
      loop.cancel(timer);
    }
  }
}
