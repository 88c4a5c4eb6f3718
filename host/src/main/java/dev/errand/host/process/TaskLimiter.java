package dev.errand.host.process;

import dev.errand.core.task.ResourceLimits;
import dev.errand.host.linux.ControlGroup;
import dev.errand.host.linux.ExitStatus;
import dev.errand.host.linux.KernelException;
import dev.errand.host.linux.PosixSignal;
import dev.errand.host.linux.ProcFs;
import dev.errand.host.linux.ResourceLimit;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Applies the limits of one task: by control groups for all its processes, or to each process. */
final class TaskLimiter {
  /** The time a process gets after its processor limit to clean up before it is killed. */
  private static final long CPU_SECONDS_MORE = 5;

  private static final int SIGNAL_CODE_BASE = 128;

  private final ResourceLimits limits;
  private final @Nullable ControlGroup memory;
  private final @Nullable ControlGroup processes;

  TaskLimiter(
      ResourceLimits limits, @Nullable ControlGroup memory, @Nullable ControlGroup processes) {
    this.limits = limits;
    this.memory = memory;
    this.processes = processes;
  }

  /** A limit that took effect. */
  record Passed(String limit, long value) {}

  boolean limitsOpenFiles() {
    return limits.openFiles() != null;
  }

  /** Puts a process in, which must not run yet; its descendants inherit the limits. */
  void hold(long pid) throws IOException {
    if (memory != null) {
      memory.join(pid);
    } else {
      set(ResourceLimit.ADDRESS_SPACE, pid, limits.memoryBytes(), 0);
    }
    if (processes != null) {
      processes.join(pid);
    } else if (limits.processes() != null) {
      // The kernel counts all processes of the user, so the limit is added to the present count.
      set(ResourceLimit.PROCESSES, pid, limits.processes() + ProcFs.ownThreads(), 0);
    }
    set(ResourceLimit.CPU_SECONDS, pid, limits.cpuSecs(), CPU_SECONDS_MORE);
    set(ResourceLimit.OPEN_FILES, pid, limits.openFiles(), 0);
    set(ResourceLimit.FILE_SIZE, pid, limits.fileSizeBytes(), 0);
  }

  private static void set(ResourceLimit limit, long pid, @Nullable Long soft, long more)
      throws KernelException {
    if (soft == null) {
      return;
    }
    var most = limit.getFor(pid).hard();
    limit.setFor(
        pid, new ResourceLimit.Values(atMost(soft, most), atMost(Math.addExact(soft, more), most)));
  }

  private static long atMost(long wanted, long most) {
    return most == ResourceLimit.UNLIMITED ? wanted : Math.min(wanted, most);
  }

  /** All limits that took effect, whether or not they ended the task. */
  List<Passed> passed(ExitStatus status) {
    var passed = new ArrayList<Passed>();
    if (memory != null && limits.memoryBytes() != null && memory.timesPassed() > 0) {
      passed.add(new Passed("memory", limits.memoryBytes()));
    }
    if (processes != null && limits.processes() != null && processes.timesPassed() > 0) {
      passed.add(new Passed("processes", limits.processes()));
    }
    if (limits.cpuSecs() != null && endedByCpu(status, limits.cpuSecs())) {
      passed.add(new Passed("cpu", limits.cpuSecs() * 1000));
    }
    if (limits.fileSizeBytes() != null && endedBy(status, PosixSignal.XFSZ)) {
      passed.add(new Passed("file_size", limits.fileSizeBytes()));
    }
    return passed;
  }

  /**
   * Which of the limits ended the task: one that kills, if the task ended like a killed process.
   */
  static @Nullable String cause(ExitStatus status, List<Passed> passed) {
    for (var it : passed) {
      if (status.code() != 0 && !it.limit().equals("processes")) {
        return it.limit();
      }
    }
    return null;
  }

  private static boolean endedByCpu(ExitStatus status, long seconds) {
    var usedMs = status.used().userMs() + status.used().systemMs();
    // A process that does not end at the soft limit is killed a little later.
    return endedBy(status, PosixSignal.XCPU)
        || (endedBy(status, PosixSignal.KILL) && usedMs >= seconds * 1000);
  }

  /** By this signal, or with the exit code by which a shell reports it. */
  private static boolean endedBy(ExitStatus status, PosixSignal signal) {
    return status.code() == SIGNAL_CODE_BASE + signal.number();
  }

  /** Removes the groups; a group with a process that was allowed to stay remains. */
  void close() {
    if (memory != null) {
      memory.remove();
    }
    if (processes != null) {
      processes.remove();
    }
  }
}
