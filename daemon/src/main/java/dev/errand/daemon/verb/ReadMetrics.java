package dev.errand.daemon.verb;

import dev.errand.core.time.Time;
import dev.errand.daemon.feed.Feed;
import dev.errand.daemon.task.Spawns;
import dev.errand.daemon.task.TaskViews;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Reads the metrics of the daemon; a door adds its own. */
public final class ReadMetrics extends Verb<ReadMetrics.Request, List<Metric>> {
  private final TaskViews views;
  private final Feed feed;
  private final Spawns spawns;
  private final Supplier<Map<String, Number>> gauges;
  private final Instant startedAt;
  private final Time clock;

  public record Request() implements OfNothing {}

  ReadMetrics(Verbs.Parts parts) {
    super("read_metrics", new Access.AllSessions(), parts.floor().authorizer());
    this.views = parts.work().views();
    this.feed = parts.journaled().feed();
    this.spawns = parts.work().spawns();
    this.gauges = parts.running().gauges();
    this.startedAt = parts.running().about().startedAt();
    this.clock = parts.clock();
  }

  /** Metrics of one name must follow each other. */
  @Override
  List<Metric> answer(Ask ask, Request request) {
    var metrics = new ArrayList<Metric>();
    views
        .liveByStatus()
        .forEach((status, count) ->
            metrics.add(Metric.gauge("errand_tasks{status=\"" + status.word() + "\"}", count)));
    metrics.add(Metric.gauge("errand_followers", feed.followers()));
    metrics.add(Metric.counter("errand_commits_total", feed.commits()));
    metrics.add(Metric.counter("errand_tasks_rejected_total", spawns.rejected()));
    var uptime = Duration.between(startedAt, clock.instant());
    metrics.add(Metric.gauge("errand_uptime_seconds", uptime.toSeconds()));
    gauges.get().forEach((name, value) -> metrics.add(Metric.gauge(name, value)));
    return metrics;
  }
}
