package dev.errand.daemon;

import dev.errand.daemon.verb.Admin;
import java.time.Duration;
import java.util.Optional;

/** Stops the daemon, reloads its settings, and tells whether it is ready. */
final class Control {
  private static final String READ_ONLY =
      "this daemon is read-only; run errand restart to change tasks";

  private final Runnable stop;
  private final Startup startup;
  private final SpaceGuard space;
  private final DaemonEnd end;
  private final DaemonAdmin admin;
  private final Gauges gauges;

  /** {@code stop}: starts closing everything, and returns at once. */
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
    this.gauges =
        new Gauges(
            parts.scheduling().scheduler,
            parts.hosting().hosts,
            parts.storage().damages,
            parts.upkeep().scrub,
            parts.storage().listenerFailures);
    if (!startup.config().tasks().persist() && !startup.readOnly()) {
      // They could not be found again.
      startup.opened("tasks", end::endAllTasks);
    }
  }

  /** Tasks belong to another daemon. */
  private Admin.Stopping stopReading(Admin.Stop how) {
    stop.run();
    return new Admin.Stopping("detach", Duration.ZERO);
  }

  DaemonAdmin admin() {
    return admin;
  }

  Administration administration() {
    var control = new Administration(admin, this::notReady, gauges);
    return startup.replacements().administration(control);
  }

  /** Why this daemon accepts no tasks. */
  private Optional<String> notReady() {
    return startup.readOnly() ? Optional.of(READ_ONLY) : end.notReady().or(space::holdReserve);
  }

  /** Called once when everything runs. */
  String greeting() {
    return startup.readOnly() ? READ_ONLY : "ready";
  }
}
