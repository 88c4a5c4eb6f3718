package dev.errand.host.linux;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Pseudo-terminals. This process holds the master. A session leader without a controlling terminal
 * that opens the other end gets it as its controlling terminal. All queries go to the master, which
 * answers for both ends.
 */
public final class Terminals {
  private static final int O_RDWR_NOCTTY_CLOEXEC = 2 | 0x100 | 0x80000;
  private static final int PATH_BYTES_MAX = 128;
  private static final long TIOCSWINSZ = 0x5414;
  private static final int SIZE_BYTES = 8;

  /** More than the library's struct termios needs. */
  private static final int TERMIOS_BYTES = 128;

  private static final int LOCAL_FLAGS_AT = 12;
  private static final int CHARACTERS_AT = 17;
  private static final int ISIG = 1;
  private static final int ICANON = 2;

  private static final MethodHandle OPEN =
      Libc.function("posix_openpt", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
  private static final MethodHandle GRANT =
      Libc.function("grantpt", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
  private static final MethodHandle UNLOCK =
      Libc.function("unlockpt", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
  private static final MethodHandle NAME =
      Libc.direct("ptsname_r", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_LONG));
  private static final MethodHandle IOCTL =
      Libc.variadic("ioctl", 2, FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS));
  private static final MethodHandle FOREGROUND =
      Libc.function("tcgetpgrp", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
  private static final MethodHandle ATTRIBUTES =
      Libc.function("tcgetattr", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS));

  private Terminals() {}

  /** A new terminal: our end, which is closed by an exec, and the path of the other end. */
  public record Terminal(int master, String path) {}

  /** Keys that the terminal itself handles, by their index in the kernel's list. */
  public enum Key {
    INTR(0),
    QUIT(1),
    ERASE(2),
    KILL(3),
    EOF(4),
    SUSP(10),
    EOL(11),
    EOL2(16);

    private final int index;

    Key(int index) {
      this.index = index;
    }
  }

  /**
   * How the terminal handles input.
   *
   * @param canonical whole lines, with editing; otherwise each byte as it comes
   * @param signals whether some keys are signals
   */
  public record Mode(boolean canonical, boolean signals, Map<Key, Byte> keys) {
    public Mode {
      keys = Map.copyOf(keys);
    }

    /** The byte of that key; 0 if the key is disabled. */
    public byte key(Key key) {
      return keys.getOrDefault(key, (byte) 0);
    }

    public boolean is(Key key, byte typed) {
      return typed != 0 && typed == key(key);
    }
  }

  public static Terminal open(int rows, int cols) throws KernelException {
    var master =
        (int) Libc.must("posix_openpt", s -> (int) OPEN.invokeExact(s, O_RDWR_NOCTTY_CLOEXEC));
    try {
      Libc.must("grantpt", s -> (int) GRANT.invokeExact(s, master));
      Libc.must("unlockpt", s -> (int) UNLOCK.invokeExact(s, master));
      var path = path(master);
      resize(master, rows, cols);
      return new Terminal(master, path);
    } catch (KernelException e) {
      Descriptors.close(master);
      throw e;
    }
  }

  private static String path(int master) throws KernelException {
    try (var arena = Arena.ofConfined()) {
      var name = arena.allocate(PATH_BYTES_MAX);
      var failure = Libc.call(_ -> (int) NAME.invokeExact(master, name, (long) PATH_BYTES_MAX));
      if (failure != 0) {
        throw new KernelException("ptsname_r", (int) failure);
      }
      return name.getString(0);
    }
  }

  /** Sets the size. If it changes, the kernel sends WINCH to the foreground process group. */
  public static void resize(int master, int rows, int cols) throws KernelException {
    try (var arena = Arena.ofConfined()) {
      var window = arena.allocate(SIZE_BYTES, 2);
      window.setAtIndex(JAVA_SHORT, 0, (short) rows);
      window.setAtIndex(JAVA_SHORT, 1, (short) cols);
      Libc.must("ioctl", s -> (int) IOCTL.invokeExact(s, master, TIOCSWINSZ, window));
    }
  }

  /** The foreground process group, which gets the signals of keys; empty if there is none. */
  public static OptionalLong foreground(int master) {
    var group = Libc.call(s -> (int) FOREGROUND.invokeExact(s, master));
    return group > 0 ? OptionalLong.of(group) : OptionalLong.empty();
  }

  /** The mode of the terminal at this path; empty if it cannot be opened. */
  static Optional<Mode> modeOf(String path) {
    var fd = Descriptors.openTerminal(path);
    if (fd < 0) {
      return Optional.empty();
    }
    try {
      return mode(fd);
    } finally {
      Descriptors.close(fd);
    }
  }

  /** Empty if the terminal is closed. */
  public static Optional<Mode> mode(int master) {
    try (var arena = Arena.ofConfined()) {
      var settings = arena.allocate(TERMIOS_BYTES, 8);
      if (Libc.call(s -> (int) ATTRIBUTES.invokeExact(s, master, settings)) < 0) {
        return Optional.empty();
      }
      var flags = settings.get(JAVA_INT, LOCAL_FLAGS_AT);
      return Optional.of(new Mode((flags & ICANON) != 0, (flags & ISIG) != 0, keys(settings)));
    }
  }

  private static Map<Key, Byte> keys(MemorySegment settings) {
    var keys = new EnumMap<Key, Byte>(Key.class);
    for (var key : Key.values()) {
      keys.put(key, settings.get(JAVA_BYTE, CHARACTERS_AT + key.index));
    }
    return keys;
  }
}
