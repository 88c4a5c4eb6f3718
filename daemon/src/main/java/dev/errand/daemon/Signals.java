package dev.errand.daemon;

import static java.lang.invoke.MethodType.methodType;

import java.lang.invoke.MethodHandleProxies;
import java.lang.invoke.MethodHandles;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The signals that stop a daemon or reload its settings. The JDK's class for signals is used by
 * reflection, because the compiler warning about it cannot be suppressed. Without that class, each
 * signal ends the daemon through the JVM's shutdown hook, and settings are reloaded over HTTP only.
 */
final class Signals {
  private static final Logger log = LoggerFactory.getLogger(Signals.class);

  private Signals() {}

  /** Calls the action on a JVM thread at each signal of that name. */
  @SuppressWarnings("IllegalCatch") // Method handles declare Throwable.
  static void listen(String name, Runnable action) {
    try {
      var signal = Class.forName("sun.misc.Signal");
      var handler = Class.forName("sun.misc.SignalHandler");
      var lookup = MethodHandles.publicLookup();
      var run = lookup.findVirtual(Runnable.class, "run", methodType(void.class)).bindTo(action);
      var handling =
          MethodHandleProxies.asInterfaceInstance(
              handler, MethodHandles.dropArguments(run, 0, signal));
      var named = lookup.findConstructor(signal, methodType(void.class, String.class));
      lookup
          .findStatic(signal, "handle", methodType(handler, signal, handler))
          .invoke(named.invoke(name), handling);
    } catch (Throwable e) {
      log.warn("SIG{} cannot be handled; use: errand reload, errand down", name, e);
    }
  }
}
