package dev.errand.host.linux;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Starts a program in a session of its own, with default signal handling and only the descriptors
 * 0, 1 and 2.
 *
 * <p>posix_spawn runs none of our code between fork and exec, so it is fast and safe in a process
 * with other threads.
 */
public final class PosixSpawn {
  private static final short SET_SIGNAL_DEFAULTS = 0x04;
  private static final short SET_SIGNAL_MASK = 0x08;
  private static final short SET_SESSION = 0x80;
  private static final short FLAGS = SET_SIGNAL_DEFAULTS | SET_SIGNAL_MASK | SET_SESSION;

  /** The structs of the library are opaque; these sizes exceed those of every glibc version. */
  private static final int ATTRIBUTES_BYTES = 512;

  private static final int ACTIONS_BYTES = 256;
  private static final int SIGNAL_SET_BYTES = 128;
  private static final int FIRST_OTHER_DESCRIPTOR = 3;
  private static final int O_RDWR = 2;

  private static final MethodHandle SPAWN =
      Libc.direct(
          "posix_spawn",
          FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS, ADDRESS, ADDRESS, ADDRESS));
  private static final MethodHandle ATTRIBUTES_INIT = ofAddress("posix_spawnattr_init");
  private static final MethodHandle ATTRIBUTES_DESTROY = ofAddress("posix_spawnattr_destroy");
  private static final MethodHandle SET_FLAGS =
      Libc.direct("posix_spawnattr_setflags", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_SHORT));
  private static final MethodHandle SET_MASK = ofTwoAddresses("posix_spawnattr_setsigmask");
  private static final MethodHandle SET_DEFAULTS = ofTwoAddresses("posix_spawnattr_setsigdefault");
  private static final MethodHandle FILL_SET = ofAddress("sigfillset");
  private static final MethodHandle ACTIONS_INIT = ofAddress("posix_spawn_file_actions_init");
  private static final MethodHandle ACTIONS_DESTROY = ofAddress("posix_spawn_file_actions_destroy");
  private static final MethodHandle ADD_DUP2 =
      Libc.direct(
          "posix_spawn_file_actions_adddup2",
          FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT));
  private static final MethodHandle ADD_OPEN =
      Libc.direct(
          "posix_spawn_file_actions_addopen",
          FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT));
  private static final MethodHandle ADD_CLOSE_FROM =
      Libc.direct(
          "posix_spawn_file_actions_addclosefrom_np",
          FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT));
  private static final MethodHandle ADD_CHDIR =
      ofTwoAddresses("posix_spawn_file_actions_addchdir_np");

  private PosixSpawn() {}

  /** Where the child's standard input comes from. */
  public sealed interface Stdin {
    record Nothing() implements Stdin {}

    record From(int fd) implements Stdin {}
  }

  /** What becomes the child's 0, 1 and 2. */
  public sealed interface Connection {}

  /** Descriptors of this process. */
  public record Streams(Stdin stdin, int stdout, int stderr) implements Connection {}

  /**
   * A terminal, which becomes the controlling terminal because the child leads a session without
   * one.
   */
  public record OnTerminal(String path) implements Connection {}

  /**
   * What to start: a resolved program, its arguments (the first is its name), environment and
   * folder.
   */
  public record Plan(String program, List<String> arguments, List<String> environment, String cwd) {

    /** Arguments and environment hold secrets. */
    @Override
    public String toString() {
      return "Plan[" + program + "]";
    }
  }

  /** Returns the pid of the child, which already runs its own program. */
  public static long start(Plan plan, Connection connection) throws KernelException {
    return start(plan, connection, null);
  }

  /**
   * The same, but the child first opens this file for reading, and blocks as long as that takes.
   */
  public static long start(Plan plan, Connection connection, @Nullable String gate)
      throws KernelException {
    try (var arena = Arena.ofConfined()) {
      var attributes = arena.allocate(ATTRIBUTES_BYTES, 16);
      var actions = arena.allocate(ACTIONS_BYTES, 16);
      check((int) ATTRIBUTES_INIT.invokeExact(attributes));
      check((int) ACTIONS_INIT.invokeExact(actions));
      try {
        fill(arena, attributes);
        fill(arena, actions, plan, connection, gate);
        return spawn(arena, plan, attributes, actions);
      } finally {
        var _ = (int) ACTIONS_DESTROY.invokeExact(actions);
        var _ = (int) ATTRIBUTES_DESTROY.invokeExact(attributes);
      }
    } catch (KernelException e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("posix_spawn could not be called", e);
    }
  }

  private static void fill(Arena arena, MemorySegment attributes) throws Throwable {
    var none = arena.allocate(SIGNAL_SET_BYTES, 8);
    var all = arena.allocate(SIGNAL_SET_BYTES, 8);
    check((int) FILL_SET.invokeExact(all));
    check((int) SET_FLAGS.invokeExact(attributes, FLAGS));
    check((int) SET_MASK.invokeExact(attributes, none));
    check((int) SET_DEFAULTS.invokeExact(attributes, all));
  }

  private static void fill(
      Arena arena, MemorySegment actions, Plan plan, Connection connection, @Nullable String gate)
      throws Throwable {
    switch (connection) {
      case Streams streams -> connect(arena, actions, streams);
      case OnTerminal(var path) -> {
        check((int) ADD_OPEN.invokeExact(actions, 0, arena.allocateFrom(path), O_RDWR, 0));
        check((int) ADD_DUP2.invokeExact(actions, 0, 1));
        check((int) ADD_DUP2.invokeExact(actions, 0, 2));
      }
    }
    if (gate != null) {
      var path = arena.allocateFrom(gate);
      check((int) ADD_OPEN.invokeExact(actions, FIRST_OTHER_DESCRIPTOR, path, 0, 0));
    }
    check((int) ADD_CLOSE_FROM.invokeExact(actions, FIRST_OTHER_DESCRIPTOR));
    check((int) ADD_CHDIR.invokeExact(actions, arena.allocateFrom(plan.cwd())));
  }

  private static void connect(Arena arena, MemorySegment actions, Streams streams)
      throws Throwable {
    switch (streams.stdin()) {
      case Stdin.Nothing _ -> {
        var nothing = arena.allocateFrom("/dev/null");
        check((int) ADD_OPEN.invokeExact(actions, 0, nothing, 0, 0));
      }
      case Stdin.From(int fd) -> check((int) ADD_DUP2.invokeExact(actions, fd, 0));
    }
    check((int) ADD_DUP2.invokeExact(actions, streams.stdout(), 1));
    check((int) ADD_DUP2.invokeExact(actions, streams.stderr(), 2));
  }

  private static long spawn(Arena arena, Plan plan, MemorySegment attributes, MemorySegment actions)
      throws Throwable {
    var pid = arena.allocate(JAVA_INT);
    check(
        (int)
            SPAWN.invokeExact(
                pid,
                arena.allocateFrom(plan.program()),
                actions,
                attributes,
                strings(arena, plan.arguments()),
                strings(arena, plan.environment())));
    return pid.get(JAVA_INT, 0);
  }

  private static MemorySegment strings(Arena arena, List<String> values) {
    var array = arena.allocate(ADDRESS, values.size() + 1L);
    for (var i = 0; i < values.size(); i++) {
      array.setAtIndex(ADDRESS, i, arena.allocateFrom(values.get(i)));
    }
    return array;
  }

  private static void check(int errno) throws KernelException {
    if (errno != 0) {
      throw new KernelException("posix_spawn", errno);
    }
  }

  private static MethodHandle ofAddress(String name) {
    return Libc.direct(name, FunctionDescriptor.of(JAVA_INT, ADDRESS));
  }

  private static MethodHandle ofTwoAddresses(String name) {
    return Libc.direct(name, FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS));
  }
}
