package dev.errand.daemon.screen;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Arrays;
import java.util.List;

/** What a program saved with {@code ESC 7}, to have it again with {@code ESC 8}. */
record SavedCursor(
    int col,
    int row,
    long look,
    int charset,
    List<Integer> charsets,
    boolean wraps,
    boolean origin) {

  static Class<?> type(MethodHandles.Lookup lookup) {
    try {
      return lookup.findClass("org.jline.utils.ScreenTerminal$SavedState");
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("another version of the emulator: no saved state", e);
    }
  }

  static MethodHandle constructor(MethodHandles.Lookup lookup, Class<?> type) {
    var parameters =
        MethodType.methodType(
            void.class,
            int.class,
            int.class,
            long.class,
            int.class,
            int[].class,
            boolean.class,
            boolean.class);
    try {
      return MethodHandles.privateLookupIn(type, lookup).findConstructor(type, parameters);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("another version of the emulator: saved state differs", e);
    }
  }

  /** Reads the library's own object. */
  static SavedCursor of(MethodHandles.Lookup lookup, Object state) {
    return new SavedCursor(
        (int) field(lookup, state, "cx", int.class),
        (int) field(lookup, state, "cy", int.class),
        (long) field(lookup, state, "attr", long.class),
        (int) field(lookup, state, "charsetGSel", int.class),
        Arrays.stream((int[]) field(lookup, state, "charsetG", int[].class)).boxed().toList(),
        (boolean) field(lookup, state, "autowrap", boolean.class),
        (boolean) field(lookup, state, "origin", boolean.class));
  }

  private static Object field(
      MethodHandles.Lookup lookup, Object state, String name, Class<?> type) {
    try {
      return MethodHandles.privateLookupIn(state.getClass(), lookup)
          .findVarHandle(state.getClass(), name, type)
          .get(state);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("another version of the emulator: no field " + name, e);
    }
  }

  @SuppressWarnings("CatchingUnchecked") // A method handle declares no more than Throwable.
  Object toLibrary(MethodHandle constructor) {
    var sets = charsets.stream().mapToInt(Integer::intValue).toArray();
    try {
      return constructor.invoke(col, row, look, charset, sets, wraps, origin);
    } catch (Throwable e) {
      throw new IllegalStateException("the emulator's saved state cannot be made", e);
    }
  }

  void write(DataOutputStream out) throws IOException {
    out.writeInt(col);
    out.writeInt(row);
    out.writeLong(look);
    out.writeInt(charset);
    TerminalFields.writeInts(out, charsets.stream().mapToInt(Integer::intValue).toArray());
    out.writeBoolean(wraps);
    out.writeBoolean(origin);
  }

  static SavedCursor read(DataInputStream in) throws IOException {
    return new SavedCursor(
        in.readInt(),
        in.readInt(),
        in.readLong(),
        in.readInt(),
        Arrays.stream(TerminalFields.readInts(in)).boxed().toList(),
        in.readBoolean(),
        in.readBoolean());
  }
}
