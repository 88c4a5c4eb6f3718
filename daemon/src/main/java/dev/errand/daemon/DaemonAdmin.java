package dev.errand.daemon;

import dev.errand.core.engine.Engine;
import dev.errand.core.error.ErrandException;
import dev.errand.core.task.TaskId;
import dev.errand.daemon.config.ConfigJson;
import dev.errand.daemon.config.Configuration;
import dev.errand.daemon.hostlink.HostPool;
import dev.errand.daemon.maintenance.Cleanup;
import dev.errand.daemon.surface.http.Admin;
import dev.errand.daemon.task.Tasks;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What a surface may ask of the daemon as a whole. */
record DaemonAdmin(
    Runnable stop,
    Engine engine,
    Tasks tasks,
    HostPool hosts,
    Cleanup cleanup,
    Configuration configuration)
    implements Admin {

  private static final Logger log = LoggerFactory.getLogger(DaemonAdmin.class);

  /** Longer than any grace time plus the hunt that follows it. */
  private static final Duration TASKS_END_MAX = Duration.ofSeconds(30);

  @Override
  public void shutdown(boolean all) {
    Thread.ofVirtual().name("shutdown").start(() -> stop(all));
  }

  private void stop(boolean all) {
    try {
      if (all) {
        endAllTasks();
        hosts.endStrangers(TASKS_END_MAX);
      }
    } catch (IOException e) {
      log.warn("not all hosts of other journals could be ended", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      stop.run();
    }
  }

  /**
   * Cancels every task and ends the hosts; returns when that is done, or when it takes too long.
   */
  void endAllTasks() throws InterruptedException {
    // Side by side, so that many cancels share a commit.
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      engine.live().forEach(it -> threads.execute(() -> cancel(it.taskId())));
    }
    hosts.shutdownAll(TASKS_END_MAX);
  }

  private void cancel(TaskId taskId) {
    tasks.cancel(taskId, "errand down --all", "cli", null);
  }

  @Override
  public JsonNode config() {
    return ConfigJson.of(configuration);
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

  /** The same for a signal, which nobody answers. */
  void reloadQuietly() {
    try {
      reload();
    } catch (ErrandException _) {
      // It is in the log by now.
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
