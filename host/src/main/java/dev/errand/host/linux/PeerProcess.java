package dev.errand.host.linux;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.channels.SocketChannel;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Finds the process at the other end of a Unix socket.
 *
 * <p>The JDK gives the peer's user but not its pid, so the kernel is asked through the socket's
 * descriptor. The descriptor is known only to a JDK package that must be opened at start ({@value
 * #FLAG}); without that flag no peer has a pid.
 */
public final class PeerProcess {
  public static final String FLAG = "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED";

  private static final int SOL_SOCKET = 1;
  private static final int SO_PEERCRED = 17;
  private static final int CREDENTIALS_BYTES = 12;

  private static final MethodHandle GETSOCKOPT =
      Libc.function(
          "getsockopt",
          FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, ADDRESS));

  private static final @Nullable MethodHandle DESCRIPTOR = descriptor();

  private PeerProcess() {}

  private static @Nullable MethodHandle descriptor() {
    try {
      var channels = Class.forName("sun.nio.ch.SelChImpl");
      var type = MethodType.methodType(int.class);
      return MethodHandles.lookup()
          .findVirtual(channels, "getFDVal", type)
          .asType(MethodType.methodType(int.class, Object.class));
    } catch (ReflectiveOperationException _) {
      return null;
    }
  }

  /** Whether this JVM can find the pid of a peer. */
  public static boolean known() {
    return DESCRIPTOR != null;
  }

  /**
   * The pid of the process that connected; that process may have ended or passed its socket on
   * since.
   */
  public static OptionalLong pid(SocketChannel channel) {
    var descriptor = DESCRIPTOR;
    if (descriptor == null) {
      return OptionalLong.empty();
    }
    try (var arena = Arena.ofConfined()) {
      var credentials = arena.allocate(CREDENTIALS_BYTES, Integer.BYTES);
      var length = arena.allocateFrom(JAVA_INT, CREDENTIALS_BYTES);
      Object socket = channel;
      var fd = (int) descriptor.invokeExact(socket);
      Libc.must(
          "getsockopt",
          state ->
              (int)
                  GETSOCKOPT.invokeExact(state, fd, SOL_SOCKET, SO_PEERCRED, credentials, length));
      var pid = credentials.get(JAVA_INT, 0);
      return pid > 0 ? OptionalLong.of(pid) : OptionalLong.empty();
    } catch (KernelException _) {
      return OptionalLong.empty();
    } catch (Throwable e) {
      throw new IllegalStateException("the JDK does not expose the descriptor of a socket", e);
    }
  }
}
