package dev.errand.daemon;

import dev.errand.daemon.verb.Admin;
import java.time.Duration;
import java.util.Optional;

/**
 * How the daemon as a whole is asked to stop, to read its settings again, and whether it is ready.
 */
final class Control {
  private static final String READ_ONLY = "this daemon was started to read only";

  private final Runnable stop;
  private final Startup startup;
  private final SpaceGuard space;
  private final DaemonEnd end;
  private final DaemonAdmin admin;

  /** {@code stop}: begins to close everything, and returns at once. */
  Control(Runnable stop, Startup startup, Parts parts) {
    this.stop = stop;
    this.startup = startup;
    this.space = parts.storage().space;
    this.end = new DaemonEnd(stop, startup, parts);
    var left =
        new LeftProcesses(
            parts.hosting().hosts.processes(), parts.watching().processes, startup.clock());
    this.admin =
        new DaemonAdmin(
            startup.readOnly() ? this::stopReading : end::ask,
            parts.upkeep().cleanup,
            startup.configuration(),
            left);
    if (!startup.config().tasks().persist() && !startup.readOnly()) {
      // Nobody could find them again.
      startup.opened("tasks", end::endAllTasks);
    }
  }

  /** Tasks are another daemon's matter. */
  private Admin.Stopping stopReading(Admin.Stop how) {
    stop.run();
    return new Admin.Stopping("detach", Duration.ZERO);
  }

  DaemonAdmin admin() {
    return admin;
  }

  /** Why no task should be sent here. */
  Optional<String> notReady() {
    return startup.readOnly() ? Optional.of(READ_ONLY) : end.notReady().or(space::holdReserve);
  }

  /** What is told once when everything runs. */
  String greeting() {
    return startup.readOnly() ? READ_ONLY : "ready";
  }
}
