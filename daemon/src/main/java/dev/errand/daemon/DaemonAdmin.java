package dev.errand.daemon;

import dev.errand.core.error.ErrandException;
import dev.errand.daemon.config.Configuration;
import dev.errand.daemon.maintenance.Cleanup;
import dev.errand.daemon.verb.Admin;
import java.util.List;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Requests to the daemon as a whole. */
record DaemonAdmin(
    Function<Admin.Stop, Admin.Stopping> end,
    Cleanup cleanup,
    Configuration configuration,
    LeftProcesses left)
    implements Admin {
  private static final Logger log = LoggerFactory.getLogger(DaemonAdmin.class);

  @Override
  public Stopping shutdown(Stop stop) {
    return end.apply(stop);
  }

  @Override
  public Configuration.Listing config() {
    return configuration.listing();
  }

  @Override
  public List<LeftProcess> processes() {
    return left.list();
  }

  @Override
  public EndedProcess endProcess(long pid, String by) throws InterruptedException {
    return left.end(pid, by);
  }

  @Override
  public Configuration.Reloaded reload() {
    try {
      var reloaded = configuration.reload();
      log.info(
          "read {} again; changed: {}; after a restart: {}",
          configuration.file(),
          keys(reloaded.changed()),
          keys(reloaded.afterRestart()));
      return reloaded;
    } catch (ErrandException e) {
      log.error("nothing is reloaded: {}", e.getMessage());
      throw e;
    }
  }

  private static List<String> keys(List<Configuration.Change> changes) {
    return changes.stream().map(Configuration.Change::key).toList();
  }

  /** The same for a signal, which has no response. */
  void reloadQuietly() {
    try {
      var _ = reload();
    } catch (ErrandException _) {
      // The failure is in the log.
    }
  }

  @Override
  public Cleaned gc() {
    var report = cleanup.run();
    return new Cleaned(
        report.tasks(), report.artifacts(), report.logs(), report.builds(), report.bytesStored());
  }
}
