package dev.errand.host.linux;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** The limits that the kernel applies per process. */
public enum ResourceLimit {
  CPU_SECONDS(0),
  FILE_SIZE(1),
  PROCESSES(6),
  OPEN_FILES(7),
  ADDRESS_SPACE(9),
  REALTIME(15);

  /** The kernel's value for no limit. */
  public static final long UNLIMITED = -1;

  private static final MethodHandle PRLIMIT =
      Libc.function(
          "prlimit", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, ADDRESS));
  private static final int SELF = 0;
  private static final int VALUES_BYTES = 16;

  private final int number;

  ResourceLimit(int number) {
    this.number = number;
  }

  /** The soft limit, and the hard limit up to which it can be raised. */
  public record Values(long soft, long hard) {}

  public Values get() throws KernelException {
    return getFor(SELF);
  }

  public Values getFor(long pid) throws KernelException {
    try (var arena = Arena.ofConfined()) {
      var values = arena.allocate(VALUES_BYTES, 8);
      call((int) pid, MemorySegment.NULL, values);
      return new Values(values.get(JAVA_LONG, 0), values.get(JAVA_LONG, 8));
    }
  }

  public void set(Values wanted) throws KernelException {
    setFor(SELF, wanted);
  }

  public void setFor(long pid, Values wanted) throws KernelException {
    try (var arena = Arena.ofConfined()) {
      var values = arena.allocate(VALUES_BYTES, 8);
      values.set(JAVA_LONG, 0, wanted.soft());
      values.set(JAVA_LONG, 8, wanted.hard());
      call((int) pid, values, MemorySegment.NULL);
    }
  }

  private void call(int pid, MemorySegment wanted, MemorySegment found) throws KernelException {
    Libc.must("prlimit", s -> (int) PRLIMIT.invokeExact(s, pid, number, wanted, found));
  }
}
