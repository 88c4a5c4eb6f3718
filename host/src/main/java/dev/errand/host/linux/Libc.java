package dev.errand.host.linux;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;

/** Binds functions of the C library, and turns their -1 plus errno into one negative number. */
@SuppressWarnings("restricted") // Calling native functions is what this class is for.
final class Libc {
  private static final Linker LINKER = Linker.nativeLinker();
  private static final Linker.Option KEEP_ERRNO = Linker.Option.captureCallState("errno");
  private static final StructLayout STATE = Linker.Option.captureStateLayout();
  private static final VarHandle ERRNO = STATE.varHandle(PathElement.groupElement("errno"));

  private Libc() {}

  /** One call; it gets the memory into which the linker writes errno. */
  interface Call {
    long with(MemorySegment state) throws Throwable;
  }

  /** A function that returns -1 and sets errno; its first argument is the call's state. */
  static MethodHandle function(String name, FunctionDescriptor type) {
    return LINKER.downcallHandle(address(name), type, KEEP_ERRNO);
  }

  /** The same for a variadic function; {@code fixed} says how many of its arguments are fixed. */
  static MethodHandle variadic(String name, int fixed, FunctionDescriptor type) {
    var variadic = Linker.Option.firstVariadicArg(fixed);
    return LINKER.downcallHandle(address(name), type, KEEP_ERRNO, variadic);
  }

  /** A function that returns its error number, as the posix_spawn family does. */
  static MethodHandle direct(String name, FunctionDescriptor type) {
    return LINKER.downcallHandle(address(name), type);
  }

  private static MemorySegment address(String name) {
    return LINKER
        .defaultLookup()
        .find(name)
        .orElseThrow(() -> new IllegalStateException("this C library has no " + name));
  }

  /** The result of the function, or the negative errno if it failed. */
  static long call(Call call) {
    try (var arena = Arena.ofConfined()) {
      var state = arena.allocate(STATE);
      var result = call.with(state);
      return result >= 0 ? result : -(int) ERRNO.get(state, 0L);
    } catch (Throwable e) {
      throw new IllegalStateException("a kernel call could not be made", e);
    }
  }

  /** As {@link #call}, but a failure is an exception. */
  static long must(String what, Call call) throws KernelException {
    var result = call(call);
    if (result < 0) {
      throw new KernelException(what, (int) -result);
    }
    return result;
  }
}
