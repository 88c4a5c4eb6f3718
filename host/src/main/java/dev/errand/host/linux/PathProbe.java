package dev.errand.host.linux;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.invoke.MethodHandle;

/**
 * Looks at paths as the kernel sees them, in UTF-8.
 *
 * <p>The JDK's own file classes cannot name every path when the host was started in the C locale.
 */
public final class PathProbe {
  private static final int F_OK = 0;
  private static final int X_OK = 1;

  private static final MethodHandle ACCESS =
      Libc.function("access", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT));

  private PathProbe() {}

  /** The path exists. */
  public static boolean exists(String path) {
    return access(path, F_OK);
  }

  /** The path is a directory that may be entered. */
  public static boolean isDirectory(String path) {
    return holdsItself(path, X_OK);
  }

  /** The path is executable and no directory. */
  public static boolean isProgram(String path) {
    return access(path, X_OK) && !holdsItself(path, F_OK);
  }

  /**
   * Only a directory has the entry "."; this check takes no descriptor, which matters when none is
   * left.
   */
  private static boolean holdsItself(String path, int mode) {
    return access(path + "/.", mode);
  }

  private static boolean access(String path, int mode) {
    try (var arena = Arena.ofConfined()) {
      var name = arena.allocateFrom(path);
      return Libc.call(s -> (int) ACCESS.invokeExact(s, name, mode)) == 0;
    }
  }
}
