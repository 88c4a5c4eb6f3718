package dev.errand.host.process;

import dev.errand.core.task.LogStream;
import dev.errand.core.task.TerminalSize;
import dev.errand.host.linux.Descriptors;
import dev.errand.host.linux.KernelException;
import dev.errand.host.linux.PosixSignal;
import dev.errand.host.linux.PosixSpawn;
import dev.errand.host.linux.ProcFs;
import dev.errand.host.linux.Processes;
import dev.errand.host.linux.ResourceLimit;
import dev.errand.host.linux.Terminals;
import dev.errand.host.protocol.HostRequest;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Starts a process and connects its streams to the host.
 *
 * <p>The tag is set as a limit of the host itself while the child is created, so one child is
 * created at a time. A child with limits is blocked until they apply.
 */
final class Launcher {
  private static final int OOM_SCORE_ADD = 200;

  private final DescriptorBudget budget;
  private final StartBarrier gate;
  private final Object spawning = new Object();

  Launcher(DescriptorBudget budget, StartBarrier gate) {
    this.budget = budget;
    this.gate = gate;
  }

  /** What identifies the new process, and what limits it. */
  record Mark(long tag, @Nullable TaskLimiter limiter) {}

  Launched launch(PosixSpawn.Plan plan, HostRequest.Surroundings surroundings, Mark mark)
      throws IOException {
    var size = surroundings.terminal();
    return size == null ? onPipes(plan, surroundings.stdin(), mark) : onTerminal(plan, size, mark);
  }

  /** Reading and writing are polled separately, so our end of the terminal gets two numbers. */
  private Launched onTerminal(PosixSpawn.Plan plan, TerminalSize size, Mark mark)
      throws IOException {
    var terminal = Terminals.open(size.rows(), size.cols());
    var input = -1;
    try {
      Descriptors.makeNonBlocking(terminal.master());
      input = Descriptors.duplicate(terminal.master());
      var pid = spawnTagged(plan, new PosixSpawn.OnTerminal(terminal.path()), mark);
      var pidfd = watch(pid);
      adjust(pid, mark.limiter());
      return new Launched(
          pid, pidfd, input, List.of(new Launched.Output(LogStream.PTY, terminal.master())));
    } catch (IOException e) {
      Descriptors.close(terminal.master());
      if (input >= 0) {
        Descriptors.close(input);
      }
      throw e;
    }
  }

  private Launched onPipes(PosixSpawn.Plan plan, boolean wantsStdin, Mark mark) throws IOException {
    Descriptors.@Nullable Pipe stdin = null;
    Descriptors.@Nullable Pipe stdout = null;
    Descriptors.@Nullable Pipe stderr = null;
    try {
      stdin = wantsStdin ? Descriptors.pipe() : null;
      stdout = Descriptors.pipe();
      stderr = Descriptors.pipe();
      return launch(plan, mark, stdin, stdout, stderr);
    } catch (IOException e) {
      close(stdin);
      close(stdout);
      close(stderr);
      throw e;
    }
  }

  private static void close(Descriptors.@Nullable Pipe pipe) {
    if (pipe != null) {
      pipe.close();
    }
  }

  private Launched launch(
      PosixSpawn.Plan plan,
      Mark mark,
      Descriptors.@Nullable Pipe stdin,
      Descriptors.Pipe stdout,
      Descriptors.Pipe stderr)
      throws IOException {
    Descriptors.makeNonBlocking(stdout.readEnd());
    Descriptors.makeNonBlocking(stderr.readEnd());
    if (stdin != null) {
      Descriptors.makeNonBlocking(stdin.writeEnd());
    }
    PosixSpawn.Stdin input =
        stdin == null ? new PosixSpawn.Stdin.Nothing() : new PosixSpawn.Stdin.From(stdin.readEnd());
    var streams = new PosixSpawn.Streams(input, stdout.writeEnd(), stderr.writeEnd());
    var pid = spawnTagged(plan, streams, mark);
    var pidfd = watch(pid);
    adjust(pid, mark.limiter());
    if (stdin != null) {
      Descriptors.close(stdin.readEnd());
    }
    Descriptors.close(stdout.writeEnd());
    Descriptors.close(stderr.writeEnd());
    return new Launched(
        pid,
        pidfd,
        stdin == null ? -1 : stdin.writeEnd(),
        List.of(
            new Launched.Output(LogStream.STDOUT, stdout.readEnd()),
            new Launched.Output(LogStream.STDERR, stderr.readEnd())));
  }

  private long spawnTagged(PosixSpawn.Plan plan, PosixSpawn.Connection connection, Mark mark)
      throws IOException {
    synchronized (spawning) {
      var hard = ResourceLimit.REALTIME.get().hard();
      var wanted = Tag.limit(mark.tag());
      if (hard != ResourceLimit.UNLIMITED && hard < wanted) {
        // The limit leaves no room for a tag; the other ways to identify a descendant remain.
        return spawn(plan, connection, mark.limiter());
      }
      ResourceLimit.REALTIME.set(new ResourceLimit.Values(wanted, hard));
      try {
        return spawn(plan, connection, mark.limiter());
      } finally {
        ResourceLimit.REALTIME.set(new ResourceLimit.Values(hard, hard));
      }
    }
  }

  private long spawn(
      PosixSpawn.Plan plan, PosixSpawn.Connection connection, @Nullable TaskLimiter limiter)
      throws IOException {
    return limiter == null
        ? PosixSpawn.start(plan, connection)
        : gate.start(path -> PosixSpawn.start(plan, connection, path), limiter::hold);
  }

  /** A process that cannot be watched must not run. */
  private static int watch(long pid) throws KernelException {
    try {
      return Processes.pidfd(pid);
    } catch (KernelException e) {
      Processes.signalGroup(pid, PosixSignal.KILL);
      while (Processes.reap(pid).isEmpty()) {
        Thread.onSpinWait();
      }
      throw e;
    }
  }

  private void adjust(long pid, @Nullable TaskLimiter limiter) {
    ProcFs.raiseOomScore(pid, OOM_SCORE_ADD);
    if (budget.wasRaised() && (limiter == null || !limiter.limitsOpenFiles())) {
      try {
        ResourceLimit.OPEN_FILES.setFor(pid, budget.original());
      } catch (KernelException _) {
        // It has ended already.
      }
    }
  }
}
