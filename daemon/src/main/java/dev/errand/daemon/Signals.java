package dev.errand.daemon;

import static java.lang.invoke.MethodType.methodType;

import java.lang.invoke.MethodHandleProxies;
import java.lang.invoke.MethodHandles;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The signals by which a daemon is asked to stop, or to read its settings again. The JDK's class
 * for signals is reached by name, because the compiler warns of it in a way that cannot be
 * answered; where it is gone one day, each of them ends the daemon by the JVM's own hook, which
 * hears no second one, and settings are reloaded over HTTP only.
 */
final class Signals {
  private static final Logger log = LoggerFactory.getLogger(Signals.class);

  private Signals() {}

  /** Calls it, on a thread of the JVM, whenever the signal of that name comes. */
  @SuppressWarnings("IllegalCatch") // What a method handle throws is declared as Throwable.
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
      log.warn("SIG{} is not listened to; use: errand reload, errand down", name, e);
    }
  }
}
