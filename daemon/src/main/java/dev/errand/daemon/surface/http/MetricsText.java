package dev.errand.daemon.surface.http;

import dev.errand.daemon.verb.WaitSlots;
import java.time.Duration;
import java.time.Instant;

/** The daemon's numbers in the text form of Prometheus. */
final class MetricsText {
  static final String CONTENT_TYPE = "text/plain; version=0.0.4";
  private static final int CLASS_MAX = 5;

  private final StringBuilder text = new StringBuilder();

  private MetricsText() {}

  static String of(Services services, RequestCounts counts, WaitSlots slots, Instant now) {
    var out = new MetricsText();
    out.type("errand_tasks", "gauge");
    services
        .tasks()
        .views()
        .liveByStatus()
        .forEach(
            (status, count) -> out.line("errand_tasks{status=\"" + status.word() + "\"}", count));
    out.gauge("errand_followers", services.tasks().feed().followers());
    out.gauge("errand_http_waiting", slots.taken());
    out.gauge("errand_http_connections", counts.connections());
    out.gauge("errand_http_requests_under_way", counts.underWay());
    out.counter("errand_commits_total", services.tasks().feed().commits());
    out.counter("errand_tasks_rejected_total", services.tasks().spawns().rejected());
    out.type("errand_http_requests_total", "counter");
    for (var each = 1; each <= CLASS_MAX; each++) {
      out.line("errand_http_requests_total{class=\"" + each + "xx\"}", counts.answers(each));
    }
    var uptime = Duration.between(services.daemon().about().startedAt(), now);
    out.gauge("errand_uptime_seconds", uptime.toSeconds());
    services.daemon().gauges().get().forEach(out::gauge);
    return out.text.toString();
  }

  /** Those that differ only by their labels come one after the other, and their type once. */
  private void gauge(String name, Number value) {
    var labels = name.indexOf('{');
    var plain = labels < 0 ? name : name.substring(0, labels);
    if (labels < 0 || text.indexOf("\n" + plain + "{") < 0) {
      type(plain, "gauge");
    }
    line(name, value);
  }

  private void counter(String name, Number value) {
    type(name, "counter");
    line(name, value);
  }

  private void type(String name, String type) {
    text.append("# TYPE ").append(name).append(' ').append(type).append('\n');
  }

  private void line(String name, Number value) {
    text.append(name).append(' ').append(value).append('\n');
  }
}
