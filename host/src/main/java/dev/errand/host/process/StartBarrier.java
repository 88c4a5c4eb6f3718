package dev.errand.host.process;

import dev.errand.host.linux.Fifo;
import dev.errand.host.linux.KernelException;
import dev.errand.host.linux.OwnProcess;
import dev.errand.host.linux.PosixSignal;
import dev.errand.host.linux.ProcFs;
import dev.errand.host.linux.Processes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Blocks a new process between its creation and the first instruction of its program, so that its
 * limits apply from the start.
 *
 * <p>posix_spawn runs none of our code in the child, but it opens files there; opening a named pipe
 * blocks until the host opens the other end. The spawning thread blocks too, so another thread
 * finds the child, applies the limits, and opens the pipe. Unlike a shell in between, this changes
 * neither the program's name nor its variables. One start at a time.
 */
final class StartBarrier {
  private static final long LOOK_NANOS = 50_000;

  private final Path path;
  private @Nullable Fifo fifo;

  StartBarrier(Path path) {
    this.path = path;
  }

  /** Starts a process; its program must open this path first. */
  interface Start {
    long behind(String gatePath) throws KernelException;
  }

  /** Applies the limits to the process, which does not run yet. */
  interface Hold {
    void on(long pid) throws IOException;
  }

  /** Returns the pid of the process, which runs from now on. If it throws, nothing runs. */
  long start(Start start, Hold hold) throws IOException {
    var fifo = fifo();
    var thread = OwnProcess.threadId();
    var watch = new Watch(fifo, thread, new HashSet<>(ProcFs.children(thread)), hold);
    var keeper = Thread.ofPlatform().daemon().name("host-gate").start(watch::run);
    long pid;
    try {
      pid = start.behind(fifo.path());
    } finally {
      watch.finished = true;
      LockSupport.unpark(keeper);
    }
    var failure = failure(watch);
    if (failure != null) {
      // It was killed before it started; only this thread can reap it.
      while (Processes.reap(pid).isEmpty()) {
        Thread.onSpinWait();
      }
      throw failure;
    }
    return pid;
  }

  private Fifo fifo() throws IOException {
    var made = fifo;
    if (made == null) {
      Files.deleteIfExists(path);
      made = Fifo.make(path.toString());
      fifo = made;
    }
    return made;
  }

  private static @Nullable IOException failure(Watch watch) {
    try {
      watch.held.get();
      return null;
    } catch (ExecutionException e) {
      return e.getCause() instanceof IOException it ? it : new IOException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new IOException("interrupted at the start of a process", e);
    }
  }

  /** The work of the second thread. */
  private static final class Watch {
    private final Fifo fifo;
    private final long thread;
    private final Set<Long> before;
    private final Hold hold;
    private final CompletableFuture<Boolean> held = new CompletableFuture<>();
    private volatile boolean finished;

    private Watch(Fifo fifo, long thread, Set<Long> before, Hold hold) {
      this.fifo = fifo;
      this.thread = thread;
      this.before = before;
      this.hold = hold;
    }

    private void run() {
      var pid = awaitChild();
      if (pid == 0) {
        held.complete(false);
        return;
      }
      try {
        hold.on(pid);
        while (!finished && !fifo.letThrough()) {
          LockSupport.parkNanos(LOOK_NANOS);
        }
        held.complete(true);
      } catch (IOException | RuntimeException e) {
        Processes.kill(pid, PosixSignal.KILL);
        held.completeExceptionally(e);
      }
    }

    /** The child that did not exist before; 0 if there is none and there will be none. */
    private long awaitChild() {
      while (!finished) {
        for (var pid : ProcFs.children(thread)) {
          if (!before.contains(pid)) {
            return pid;
          }
        }
        LockSupport.parkNanos(LOOK_NANOS);
      }
      return 0;
    }
  }
}
