package dev.errand.daemon;

import dev.errand.daemon.hostlink.HostPool;
import dev.errand.daemon.maintenance.ArtifactScrub;
import dev.errand.daemon.schedule.Scheduler;
import dev.errand.daemon.store.Damages;
import dev.errand.host.protocol.HostReply;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/** Metrics of the daemon's parts, by their Prometheus names. */
record Gauges(
    Scheduler scheduler,
    HostPool hosts,
    Damages damages,
    ArtifactScrub scrub,
    ListenerFailures listenerFailures)
    implements Supplier<Map<String, Number>> {

  @Override
  public Map<String, Number> get() {
    var load = scheduler.load();
    var gauges = new TreeMap<String, Number>();
    gauges.put("errand_tasks_running", load.running());
    gauges.put("errand_tasks_queued", load.queued());
    gauges.put("errand_tasks_held", load.held());
    gauges.put("errand_journal_damaged_streams", damages.damagedStreams());
    gauges.put("errand_journal_suspect", damages.isSuspect() ? 1 : 0);
    gauges.put("errand_artifacts_damaged", scrub.damaged());
    gauges.put("errand_listener_failures", listenerFailures.count());
    gauges.put("errand_host_record_failures", hosts.recordFailures());
    try {
      var all = hosts.processes().statistics();
      gauges.put("errand_hosts", all.size());
      gauges.put("errand_hosts_of_other_journals", hosts.foreignHosts());
      gauges.put("errand_host_tasks", all.stream().mapToLong(it -> it.running()).sum());
      gauges.put("errand_host_escaped", all.stream().mapToLong(it -> it.escaped()).sum());
      all.stream()
          .flatMap(it -> it.escapedShown().stream())
          .forEach(it -> gauges.put("errand_host_escaped_process" + labels(it), 1));
      gauges.put("errand_host_descriptors", all.stream().mapToLong(it -> it.fds()).sum());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return gauges;
  }

  /** A process chooses its own name, so special characters are removed. */
  private static String labels(HostReply.Escaped it) {
    var name = it.name().replaceAll("[^\\w .:/+@-]", "?");
    return "{pid=\"%d\",start_ticks=\"%d\",name=\"%s\"}".formatted(it.pid(), it.startTicks(), name);
  }
}
