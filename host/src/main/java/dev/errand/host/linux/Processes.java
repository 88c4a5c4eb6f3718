package dev.errand.host.linux;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Optional;
import java.util.function.Predicate;

/** Waits for other processes and signals them. */
public final class Processes {
  private static final boolean AMD64 = System.getProperty("os.arch", "").equals("amd64");
  private static final long SYS_PIDFD_OPEN = 434;
  private static final long SYS_PIDFD_SEND_SIGNAL = 424;
  private static final long SYS_WAITID = AMD64 ? 247 : 95;
  private static final int P_PID = 1;
  private static final int WNOHANG = 1;
  private static final int WEXITED = 4;
  private static final int WNOWAIT = 0x01000000;
  private static final int CLD_EXITED = 1;
  private static final int SIGNAL_CODE_BASE = 128;

  private static final int INFO_BYTES = 128;
  private static final int INFO_CODE_AT = 8;
  private static final int INFO_PID_AT = 16;
  private static final int INFO_STATUS_AT = 24;
  private static final int USAGE_BYTES = 144;
  private static final int USAGE_SYSTEM_AT = 16;
  private static final int USAGE_MAX_RSS_AT = 32;
  private static final int USAGE_BLOCKS_IN_AT = 88;
  private static final int USAGE_BLOCKS_OUT_AT = 96;
  private static final int BLOCK_BYTES = 512;

  private static final MethodHandle KILL =
      Libc.function("kill", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));
  private static final MethodHandle PIDFD_OPEN =
      Libc.variadic("syscall", 1, FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT));
  private static final MethodHandle PIDFD_SEND_SIGNAL =
      Libc.variadic(
          "syscall",
          1,
          FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT));
  // The fifth argument, the usage, exists only in the system call and not in the library's waitid.
  private static final MethodHandle WAITID =
      Libc.variadic(
          "syscall",
          1,
          FunctionDescriptor.of(
              JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, ADDRESS));

  private Processes() {}

  /** A descriptor that becomes readable when the process has exited. */
  public static int pidfd(long pid) throws KernelException {
    var process = (int) pid;
    return (int)
        Libc.must("pidfd_open", s -> (long) PIDFD_OPEN.invokeExact(s, SYS_PIDFD_OPEN, process, 0));
  }

  /** The exit of our child. The child stays a zombie, so its pid cannot be reused. */
  public static Optional<ExitStatus> peek(long pid) {
    return waitFor(pid, WEXITED | WNOHANG | WNOWAIT);
  }

  /** Reaps our child; afterwards its pid is free. */
  public static Optional<ExitStatus> reap(long pid) {
    return waitFor(pid, WEXITED | WNOHANG);
  }

  private static Optional<ExitStatus> waitFor(long pid, int options) {
    try (var arena = Arena.ofConfined()) {
      var info = arena.allocate(INFO_BYTES, 8);
      var usage = arena.allocate(USAGE_BYTES, 8);
      var process = (int) pid;
      var answer =
          Libc.call(
              s -> (long) WAITID.invokeExact(s, SYS_WAITID, P_PID, process, info, options, usage));
      if (answer < 0 || info.get(JAVA_INT, INFO_PID_AT) == 0) {
        return Optional.empty();
      }
      return Optional.of(status(info, usage));
    }
  }

  private static ExitStatus status(MemorySegment info, MemorySegment usage) {
    var status = info.get(JAVA_INT, INFO_STATUS_AT);
    var exited = info.get(JAVA_INT, INFO_CODE_AT) == CLD_EXITED;
    return new ExitStatus(
        exited ? status : SIGNAL_CODE_BASE + status,
        exited ? null : PosixSignal.nameOf(status),
        used(usage));
  }

  private static ExitStatus.Used used(MemorySegment usage) {
    return new ExitStatus.Used(
        millis(usage, 0),
        millis(usage, USAGE_SYSTEM_AT),
        usage.get(JAVA_LONG, USAGE_MAX_RSS_AT) * 1024,
        usage.get(JAVA_LONG, USAGE_BLOCKS_IN_AT) * BLOCK_BYTES,
        usage.get(JAVA_LONG, USAGE_BLOCKS_OUT_AT) * BLOCK_BYTES);
  }

  private static long millis(MemorySegment usage, int at) {
    return usage.get(JAVA_LONG, at) * 1000 + usage.get(JAVA_LONG, at + Long.BYTES) / 1000;
  }

  /** False if the group does not exist, or none of its members may be signalled. */
  public static boolean signalGroup(long group, PosixSignal signal) {
    var target = (int) -group;
    return Libc.call(s -> (int) KILL.invokeExact(s, target, signal.number())) == 0;
  }

  /** Only for a pid that cannot be reused: that of a child that is not reaped yet. */
  public static boolean kill(long pid, PosixSignal signal) {
    var target = (int) pid;
    return Libc.call(s -> (int) KILL.invokeExact(s, target, signal.number())) == 0;
  }

  /** Kills the process with this pid if it is still the one that was seen. */
  public static boolean killIfSame(ProcFs.Stat seen) {
    return signalIf(seen, PosixSignal.KILL, _ -> true);
  }

  /**
   * Signals the process with this pid if it is still the one that was seen, lives, and passes the
   * test: between a read of /proc and a signal the pid may be reused, and a pidfd stays bound to
   * the process that was checked.
   */
  public static boolean signalIf(
      ProcFs.Stat seen, PosixSignal signal, Predicate<ProcFs.Stat> wanted) {
    int pidfd;
    try {
      pidfd = pidfd(seen.pid());
    } catch (KernelException _) {
      return false;
    }
    try {
      var now = ProcFs.stat(seen.pid()).filter(ProcFs.Stat::alive);
      if (now.isEmpty() || now.get().startTicks() != seen.startTicks() || !wanted.test(now.get())) {
        return false;
      }
      var number = signal.number();
      return Libc.call(s ->
          (long)
              PIDFD_SEND_SIGNAL.invokeExact(
                  s, SYS_PIDFD_SEND_SIGNAL, pidfd, number, MemorySegment.NULL, 0))
          == 0;
    } finally {
      Descriptors.close(pidfd);
    }
  }
}
