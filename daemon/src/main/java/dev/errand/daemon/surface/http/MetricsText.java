package dev.errand.daemon.surface.http;

import dev.errand.daemon.verb.Metric;
import dev.errand.daemon.verb.WaitSlots;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Metrics of the daemon and of this door in the text format of Prometheus. */
final class MetricsText {
  static final String CONTENT_TYPE = "text/plain; version=0.0.4";
  private static final int CLASS_MAX = 5;

  private final StringBuilder text = new StringBuilder();
  private final Set<String> typed = new HashSet<>();

  private MetricsText() {}

  static String of(List<Metric> metrics, RequestCounts counts, WaitSlots slots) {
    var out = new MetricsText();
    metrics.forEach(out::add);
    out.add(Metric.gauge("errand_http_waiting", slots.taken()));
    out.add(Metric.gauge("errand_http_connections", counts.connections()));
    out.add(Metric.gauge("errand_http_requests_under_way", counts.underWay()));
    for (var each = 1; each <= CLASS_MAX; each++) {
      var name = "errand_http_requests_total{class=\"" + each + "xx\"}";
      out.add(Metric.counter(name, counts.answers(each)));
    }
    return out.text.toString();
  }

  /** Metrics that differ only by their labels follow each other, and their type is written once. */
  private void add(Metric metric) {
    var name = metric.name();
    var labels = name.indexOf('{');
    var plain = labels < 0 ? name : name.substring(0, labels);
    if (typed.add(plain)) {
      text.append("# TYPE ").append(plain).append(' ').append(word(metric.type())).append('\n');
    }
    text.append(name).append(' ').append(metric.value()).append('\n');
  }

  private static String word(Metric.Type type) {
    return switch (type) {
      case GAUGE -> "gauge";
      case COUNTER -> "counter";
    };
  }
}
