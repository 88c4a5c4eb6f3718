package dev.errand.wire.fault;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;

/** Signals that no program can catch, sent to this process by itself; the JDK refuses to. */
enum OwnSignal {
  KILL(9),
  STOP(19);

  private final int number;

  OwnSignal(int number) {
    this.number = number;
  }

  /** Does not return after KILL, and after STOP only when somebody lets the process go on. */
  @SuppressWarnings("restricted") // The kernel's own kill is the one that leaves no time for more.
  void raise() {
    var linker = Linker.nativeLinker();
    var address = linker.defaultLookup().find("kill").orElseThrow();
    var kill = linker.downcallHandle(address, FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));
    try {
      var _ = (int) kill.invokeExact((int) ProcessHandle.current().pid(), number);
    } catch (Throwable e) {
      throw new IllegalStateException("the process could not signal itself", e);
    }
  }
}
