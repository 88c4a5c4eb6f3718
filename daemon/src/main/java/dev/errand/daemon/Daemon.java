package dev.errand.daemon;

import dev.errand.daemon.config.Configuration;
import dev.errand.daemon.verb.Admin;
import dev.errand.wire.home.ErrandHome;
import dev.errand.wire.time.SystemTime;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The composition root: {@link Parts} has the whole program, {@link Doors} its surfaces. */
final class Daemon implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Daemon.class);

  private final CountDownLatch stopAsked = new CountDownLatch(1);
  private final AtomicBoolean closing = new AtomicBoolean();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final OpenParts open = new OpenParts();
  private String addresses = "";
  private Runnable reload = () -> {};
  private Runnable stop = stopAsked::countDown;

  private Daemon() {}

  /** Returns when everything runs; on failure closes everything and throws. */
  static Daemon start(ErrandHome home, Configuration configuration, StartMode mode)
      throws IOException, InterruptedException {
    var daemon = new Daemon();
    try {
      daemon.open(home, configuration, mode);
      return daemon;
    } catch (IOException | InterruptedException | RuntimeException e) {
      daemon.close();
      throw e;
    }
  }

  private void open(ErrandHome home, Configuration configuration, StartMode mode)
      throws IOException, InterruptedException {
    var startup =
        new Startup(
            home, configuration, mode, Build.current(), new SystemTime(), open, Replacements.NONE);
    var parts = Parts.open(startup);
    if (!startup.readOnly()) {
      parts.start();
    }
    var control = new Control(stopAsked::countDown, startup, parts);
    reload = control.admin()::reloadQuietly;
    stop = () -> control.admin().shutdown(Admin.Stop.FOR_NOW);
    var doors = new Doors(startup, parts, control.administration());
    doors.start();
    doors.listen();
    addresses = doors.addresses();
    log.info(control.greeting());
  }

  String addresses() {
    return addresses;
  }

  /** Reloads the settings; the result is in the log. */
  void reload() {
    reload.run();
  }

  /** Starts stopping, as configured, and returns at once. A second call does not wait for tasks. */
  void stop() {
    stop.run();
  }

  /** Waits until the daemon is to be closed. */
  void awaitStop() throws InterruptedException {
    stopAsked.await();
  }

  /** For a JVM that exits by itself; returns when the daemon is closed. */
  void stopWithJvm() {
    if (closed.getCount() > 0) {
      stop();
    }
    try {
      closed.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    if (!closing.compareAndSet(false, true)) {
      return;
    }
    open.close();
    closed.countDown();
  }
}
