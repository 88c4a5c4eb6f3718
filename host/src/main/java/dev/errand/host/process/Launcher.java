package dev.errand.host.process;

import dev.errand.host.linux.Descriptors;
import dev.errand.host.linux.KernelException;
import dev.errand.host.linux.PosixSpawn;
import dev.errand.host.linux.ProcFs;
import dev.errand.host.linux.Processes;
import dev.errand.host.linux.ResourceLimit;
import dev.errand.host.linux.Signal;
import org.jspecify.annotations.Nullable;

/**
 * Starts a process and connects it to us.
 *
 * <p>The tag is a limit of our own while the child is made, so one is made at a time. A terminal
 * would be connected here, and a cgroup joined.
 */
final class Launcher {
  private static final int OOM_SCORE_ADD = 200;

  private final DescriptorBudget budget;
  private final Object spawning = new Object();

  Launcher(DescriptorBudget budget) {
    this.budget = budget;
  }

  Launched launch(PosixSpawn.Plan plan, boolean wantsStdin, long tag) throws KernelException {
    Descriptors.@Nullable Pipe stdin = null;
    Descriptors.@Nullable Pipe stdout = null;
    Descriptors.@Nullable Pipe stderr = null;
    try {
      stdin = wantsStdin ? Descriptors.pipe() : null;
      stdout = Descriptors.pipe();
      stderr = Descriptors.pipe();
      return launch(plan, tag, stdin, stdout, stderr);
    } catch (KernelException e) {
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
      long tag,
      Descriptors.@Nullable Pipe stdin,
      Descriptors.Pipe stdout,
      Descriptors.Pipe stderr)
      throws KernelException {
    Descriptors.makeNonBlocking(stdout.readEnd());
    Descriptors.makeNonBlocking(stderr.readEnd());
    if (stdin != null) {
      Descriptors.makeNonBlocking(stdin.writeEnd());
    }
    PosixSpawn.Stdin input =
        stdin == null ? new PosixSpawn.Stdin.Nothing() : new PosixSpawn.Stdin.From(stdin.readEnd());
    var streams = new PosixSpawn.Streams(input, stdout.writeEnd(), stderr.writeEnd());
    var pid = spawnTagged(plan, streams, tag);
    var pidfd = watch(pid);
    adjust(pid);
    if (stdin != null) {
      Descriptors.close(stdin.readEnd());
    }
    Descriptors.close(stdout.writeEnd());
    Descriptors.close(stderr.writeEnd());
    return new Launched(
        pid, pidfd, stdin == null ? -1 : stdin.writeEnd(), stdout.readEnd(), stderr.readEnd());
  }

  private long spawnTagged(PosixSpawn.Plan plan, PosixSpawn.Streams streams, long tag)
      throws KernelException {
    synchronized (spawning) {
      var hard = ResourceLimit.REALTIME.get().hard();
      if (hard != ResourceLimit.UNLIMITED && hard < Tag.limit(tag)) {
        // No room for a tag under this limit; the other ways to know a descendant remain.
        return PosixSpawn.start(plan, streams);
      }
      ResourceLimit.REALTIME.set(new ResourceLimit.Values(Tag.limit(tag), hard));
      try {
        return PosixSpawn.start(plan, streams);
      } finally {
        ResourceLimit.REALTIME.set(new ResourceLimit.Values(hard, hard));
      }
    }
  }

  /** A process that we cannot watch must not run. */
  private static int watch(long pid) throws KernelException {
    try {
      return Processes.pidfd(pid);
    } catch (KernelException e) {
      Processes.signalGroup(pid, Signal.KILL);
      while (Processes.reap(pid).isEmpty()) {
        Thread.onSpinWait();
      }
      throw e;
    }
  }

  private void adjust(long pid) {
    ProcFs.raiseOomScore(pid, OOM_SCORE_ADD);
    if (budget.wasRaised()) {
      try {
        ResourceLimit.OPEN_FILES.setFor(pid, budget.original());
      } catch (KernelException _) {
        // It has ended already.
      }
    }
  }
}
