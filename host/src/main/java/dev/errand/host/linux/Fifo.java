package dev.errand.host.linux;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.invoke.MethodHandle;

/**
 * A named pipe as a barrier: opening it for reading blocks until this process opens the other end.
 */
public final class Fifo {
  private static final int MODE = 0600;
  private static final int O_WRITE_NONBLOCK_CLOEXEC = 1 | 0x800 | 0x80000;

  private static final MethodHandle MKFIFO =
      Libc.function("mkfifo", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT));
  private static final MethodHandle OPEN =
      Libc.variadic("open", 2, FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT));

  private final String path;

  private Fifo(String path) {
    this.path = path;
  }

  public static Fifo make(String path) throws KernelException {
    try (var arena = Arena.ofConfined()) {
      var name = arena.allocateFrom(path);
      Libc.must("mkfifo", s -> (int) MKFIFO.invokeExact(s, name, MODE));
    }
    return new Fifo(path);
  }

  public String path() {
    return path;
  }

  /** True if a reader was blocked; it continues now. */
  public boolean letThrough() {
    try (var arena = Arena.ofConfined()) {
      var name = arena.allocateFrom(path);
      var fd = Libc.call(s -> (int) OPEN.invokeExact(s, name, O_WRITE_NONBLOCK_CLOEXEC));
      if (fd < 0) {
        return false;
      }
      Descriptors.close((int) fd);
      return true;
    }
  }
}
