package dev.errand.daemon;

import dev.errand.core.error.ErrandException;
import dev.errand.daemon.config.ConfigJson;
import dev.errand.daemon.config.Configuration;
import dev.errand.daemon.maintenance.Cleanup;
import dev.errand.daemon.verb.Admin;
import java.util.List;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

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
  public JsonNode config() {
    return ConfigJson.of(configuration);
  }

  @Override
  public JsonNode processes() {
    return left.list();
  }

  @Override
  public JsonNode endProcess(long pid, String by) throws InterruptedException {
    return left.end(pid, by);
  }

  @Override
  public JsonNode reload() {
    try {
      var reloaded = configuration.reload();
      log.info(
          "read {} again; changed: {}; after a restart: {}",
          configuration.file(),
          keys(reloaded.changed()),
          keys(reloaded.afterRestart()));
      return ConfigJson.of(reloaded);
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
      reload();
    } catch (ErrandException _) {
      // The failure is in the log.
    }
  }

  @Override
  public JsonNode gc() {
    var report = cleanup.run();
    var json = JsonMapper.shared().createObjectNode();
    json.put("tasks", report.tasks());
    json.put("artifacts", report.artifacts());
    json.put("logs", report.logs());
    json.put("builds", report.builds());
    json.put("bytes_stored", report.bytesStored());
    return json;
  }
}
