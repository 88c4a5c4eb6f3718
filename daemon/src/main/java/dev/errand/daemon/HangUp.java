package dev.errand.daemon;

import static java.lang.invoke.MethodType.methodType;

import java.lang.invoke.MethodHandleProxies;
import java.lang.invoke.MethodHandles;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The signal by which a daemon is asked to read its settings again. The JDK's class for signals is
 * reached by name, because the compiler warns of it in a way that cannot be answered; where it is
 * gone one day, the signal ends the daemon again, and settings are reloaded over HTTP only.
 */
final class HangUp {
  private static final Logger log = LoggerFactory.getLogger(HangUp.class);

  private HangUp() {}

  /** Calls it, on a thread of the JVM, whenever the signal comes. */
  @SuppressWarnings("IllegalCatch") // What a method handle throws is declared as Throwable.
  static void listen(Runnable action) {
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
          .invoke(named.invoke("HUP"), handling);
    } catch (Throwable e) {
      log.warn("SIGHUP is not listened to; use: errand reload", e);
    }
  }
}
