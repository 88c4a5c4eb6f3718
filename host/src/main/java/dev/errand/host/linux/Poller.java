package dev.errand.host.linux;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.concurrent.locks.LockSupport;

/** An epoll set with an eventfd, by which another thread can wake the waiting thread. */
public final class Poller implements AutoCloseable {
  public static final int READABLE = 0x1;
  public static final int WRITABLE = 0x4;

  private static final int EVENTS_MAX = 256;
  private static final int EPOLL_CLOEXEC = 0x80000;
  private static final int EVENTFD_FLAGS = 0x80000 | 0x800;
  private static final int ADD = 1;
  private static final int REMOVE = 2;

  /** On x86-64 the struct is packed: 4 bytes of events, directly followed by 8 bytes of data. */
  private static final boolean PACKED = System.getProperty("os.arch", "").equals("amd64");

  private static final int EVENT_BYTES = PACKED ? 12 : 16;
  private static final int DATA_AT = PACKED ? 4 : 8;

  private static final MethodHandle CREATE =
      Libc.function("epoll_create1", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
  private static final MethodHandle CONTROL =
      Libc.function(
          "epoll_ctl", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS));
  private static final MethodHandle WAIT =
      Libc.function(
          "epoll_wait", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT));
  private static final MethodHandle EVENTFD =
      Libc.function("eventfd", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));

  private final Arena arena = Arena.ofAuto();
  private final MemorySegment events = arena.allocate((long) EVENT_BYTES * EVENTS_MAX, 8);
  private final MemorySegment counter = arena.allocate(JAVA_LONG);
  private final MemorySegment one = arena.allocateFrom(JAVA_LONG, 1L);
  private final int epoll;
  private final int wakeUp;

  /** Receives the descriptors that are ready. */
  public interface Listener {
    void ready(int fd);
  }

  private Poller(int epoll, int wakeUp) {
    this.epoll = epoll;
    this.wakeUp = wakeUp;
  }

  public static Poller open() throws KernelException {
    var epoll = (int) Libc.must("epoll_create1", s -> (int) CREATE.invokeExact(s, EPOLL_CLOEXEC));
    var wakeUp = (int) Libc.must("eventfd", s -> (int) EVENTFD.invokeExact(s, 0, EVENTFD_FLAGS));
    var poller = new Poller(epoll, wakeUp);
    poller.add(wakeUp, READABLE);
    return poller;
  }

  public void add(int fd, int interest) throws KernelException {
    control(ADD, fd, interest);
  }

  /** A descriptor that is not in the set is no failure. */
  public void remove(int fd) {
    try {
      control(REMOVE, fd, 0);
    } catch (KernelException _) {
      // Only ENOENT and EBADF can come here, and both mean that it is not in the set.
    }
  }

  private void control(int operation, int fd, int interest) throws KernelException {
    try (var scratch = Arena.ofConfined()) {
      var event = scratch.allocate(EVENT_BYTES, 8);
      event.set(JAVA_INT_UNALIGNED, 0, interest);
      event.set(JAVA_INT_UNALIGNED, DATA_AT, fd);
      Libc.must("epoll_ctl", s -> (int) CONTROL.invokeExact(s, epoll, operation, fd, event));
    }
  }

  /** Waits for the given time (-1: without a limit) or until woken, and reports what is ready. */
  public void await(int timeoutMs, Listener listener) {
    var count = Libc.call(s -> (int) WAIT.invokeExact(s, epoll, events, EVENTS_MAX, timeoutMs));
    for (var i = 0; i < count; i++) {
      var fd = events.get(JAVA_INT_UNALIGNED, (long) i * EVENT_BYTES + DATA_AT);
      if (fd == wakeUp) {
        Descriptors.read(wakeUp, counter);
      } else {
        listener.ready(fd);
      }
    }
  }

  /** Pauses so that more data can arrive before the next poll, in real time as {@link #await}. */
  public static void rest(long nanos) {
    LockSupport.parkNanos(nanos);
  }

  public void wake() {
    Descriptors.write(wakeUp, one);
  }

  @Override
  public void close() {
    Descriptors.close(epoll);
    Descriptors.close(wakeUp);
  }
}
