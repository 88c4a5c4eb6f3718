package dev.errand.host.linux;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** File descriptors as plain numbers: pipes, reading, writing and closing. */
public final class Descriptors {
  private static final int O_NOCTTY = 0x100;
  private static final int O_NONBLOCK = 0x800;
  private static final int O_CLOEXEC = 0x80000;
  private static final int F_SETFL = 4;
  private static final int F_DUPFD_CLOEXEC = 1030;
  private static final int F_SETPIPE_SZ = 1031;

  private static final MethodHandle PIPE2 =
      Libc.function("pipe2", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT));
  private static final MethodHandle OPEN =
      Libc.variadic("open", 2, FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT));
  private static final MethodHandle READ =
      Libc.function("read", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG));
  private static final MethodHandle READ_AT =
      Libc.function(
          "pread", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_LONG));
  private static final MethodHandle WRITE =
      Libc.function("write", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG));
  private static final MethodHandle CLOSE =
      Libc.function("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
  private static final MethodHandle FCNTL =
      Libc.variadic("fcntl", 2, FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT));

  private Descriptors() {}

  /** The two ends of a pipe; both are closed by an exec. */
  public record Pipe(int readEnd, int writeEnd) {
    public void close() {
      Descriptors.close(readEnd);
      Descriptors.close(writeEnd);
    }
  }

  public static Pipe pipe() throws KernelException {
    try (var arena = Arena.ofConfined()) {
      var ends = arena.allocate(JAVA_INT, 2);
      Libc.must("pipe2", state -> (int) PIPE2.invokeExact(state, ends, O_CLOEXEC));
      return new Pipe(ends.getAtIndex(JAVA_INT, 0), ends.getAtIndex(JAVA_INT, 1));
    }
  }

  /** Makes our end of a pipe non-blocking (EAGAIN); the child's end does not change. */
  public static void makeNonBlocking(int fd) throws KernelException {
    Libc.must("fcntl", state -> (int) FCNTL.invokeExact(state, fd, F_SETFL, O_NONBLOCK));
  }

  /** A second number for the same end, so that reading and writing can be polled separately. */
  public static int duplicate(int fd) throws KernelException {
    return (int)
        Libc.must("fcntl", state -> (int) FCNTL.invokeExact(state, fd, F_DUPFD_CLOEXEC, 3));
  }

  /** Asks for a larger pipe buffer. The kernel may refuse it; the pipe then works as it is. */
  public static void enlargePipe(int fd, int bytes) {
    var _ = Libc.call(state -> (int) FCNTL.invokeExact(state, fd, F_SETPIPE_SZ, bytes));
  }

  /** A descriptor to read a file with, or a negative errno. */
  static int open(String path) {
    try (var arena = Arena.ofConfined()) {
      var name = arena.allocateFrom(path);
      return (int) Libc.call(state -> (int) OPEN.invokeExact(state, name, O_CLOEXEC));
    }
  }

  /**
   * The same for a terminal: it does not become our controlling terminal, and the call does not
   * block.
   */
  static int openTerminal(String path) {
    try (var arena = Arena.ofConfined()) {
      var name = arena.allocateFrom(path);
      var flags = O_CLOEXEC | O_NOCTTY | O_NONBLOCK;
      return (int) Libc.call(state -> (int) OPEN.invokeExact(state, name, flags));
    }
  }

  /** As {@link #read}, from a place in a file. */
  static long readAt(int fd, MemorySegment into, long offset) {
    return Libc.call(state -> (long) READ_AT.invokeExact(state, fd, into, into.byteSize(), offset));
  }

  /** The number of bytes read, 0 at the end, or a negative errno. */
  public static long read(int fd, MemorySegment into) {
    return Libc.call(state -> (long) READ.invokeExact(state, fd, into, into.byteSize()));
  }

  /** The number of bytes written, or a negative errno. */
  public static long write(int fd, MemorySegment from) {
    return Libc.call(state -> (long) WRITE.invokeExact(state, fd, from, from.byteSize()));
  }

  public static void close(int fd) {
    var _ = Libc.call(state -> (int) CLOSE.invokeExact(state, fd));
  }
}
