package dev.errand.host.linux;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** What a process with children must set up for itself first. */
public final class OwnProcess {
  private static final int PR_SET_CHILD_SUBREAPER = 36;
  private static final int SIG_UNBLOCK = 1;
  private static final int SIGNAL_SET_BYTES = 128;
  private static final int SIGACTION_BYTES = 160;

  private static final MethodHandle PRCTL =
      Libc.variadic(
          "prctl",
          1,
          FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));
  private static final MethodHandle SETSID =
      Libc.function("setsid", FunctionDescriptor.of(JAVA_INT));
  private static final MethodHandle SIGACTION =
      Libc.function("sigaction", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, ADDRESS));
  private static final MethodHandle SIGPROCMASK =
      Libc.function("sigprocmask", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, ADDRESS));
  private static final MethodHandle SIGADDSET =
      Libc.function("sigaddset", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT));

  private static final MethodHandle GETTID =
      Libc.function("gettid", FunctionDescriptor.of(JAVA_INT));
  private static final MethodHandle GETEUID =
      Libc.function("geteuid", FunctionDescriptor.of(JAVA_INT));

  private static final MethodHandle SETPRIORITY =
      Libc.function("setpriority", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT));
  private static final int PRIO_PROCESS = 0;
  private static final int NICE = 10;
  private static final int SOMEWHAT_NICE = 5;

  private OwnProcess() {}

  /** The kernel's id of the calling thread. */
  public static long threadId() {
    return Libc.call(s -> (int) GETTID.invokeExact(s));
  }

  /** Gives the calling thread, and no other, the lowest priority. A refusal is ignored. */
  public static void beNice() {
    beNice((int) threadId(), NICE);
  }

  /** A smaller reduction: the thread gets a fair share when tasks use all processors. */
  public static void beSomewhatNice() {
    beNice((int) threadId(), SOMEWHAT_NICE);
  }

  /**
   * The same for the compiler threads of the JVM: with few cores the thread that answers a request
   * would compete with them.
   */
  public static void compileNicely() {
    for (var thread : ProcFs.threadsNamed("C1 Compiler", "C2 Compiler")) {
      beNice(thread, NICE);
    }
  }

  private static void beNice(int thread, int nice) {
    var _ = Libc.call(s -> (int) SETPRIORITY.invokeExact(s, PRIO_PROCESS, thread, nice));
  }

  /** Whether this process is root; the kernel does not count processes for root. */
  public static boolean isSuperuser() {
    return userId() == 0;
  }

  static long userId() {
    return Libc.call(s -> (int) GETEUID.invokeExact(s));
  }

  /** Makes orphaned descendants our children, even after double forks. */
  public static void becomeSubreaper() throws KernelException {
    Libc.must("prctl", s -> (int) PRCTL.invokeExact(s, PR_SET_CHILD_SUBREAPER, 1L, 0L, 0L, 0L));
  }

  /** Starts a new session. The leader of a process group cannot and need not do so. */
  public static void leaveSession() {
    var _ = Libc.call(s -> (int) SETSID.invokeExact(s));
  }

  /** If SIGCHLD was inherited as ignored, the kernel discards exit codes. */
  public static void keepExitCodes() throws KernelException {
    try (var arena = Arena.ofConfined()) {
      var defaultAction = arena.allocate(SIGACTION_BYTES, 8);
      var set = arena.allocate(SIGNAL_SET_BYTES, 8);
      var number = PosixSignal.CHLD.number();
      Libc.must(
          "sigaction",
          s -> (int) SIGACTION.invokeExact(s, number, defaultAction, MemorySegment.NULL));
      Libc.must("sigaddset", s -> (int) SIGADDSET.invokeExact(s, set, number));
      Libc.must(
          "sigprocmask",
          s -> (int) SIGPROCMASK.invokeExact(s, SIG_UNBLOCK, set, MemorySegment.NULL));
    }
  }
}
