package dev.errand.daemon.surface.http;

import dev.errand.daemon.verb.Access;
import dev.errand.daemon.verb.CheckReadiness;
import dev.errand.daemon.verb.ReadMetrics;
import dev.errand.daemon.verb.ShowVersion;
import dev.errand.daemon.verb.Verbs;
import dev.errand.daemon.verb.WaitSlots;
import dev.errand.wire.http.Headers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.eclipse.jetty.http.HttpStatus;
import tools.jackson.databind.node.JsonNodeFactory;

/** The health, the metrics and the version of the daemon. */
final class DaemonRoutes {
  private static final Access OPEN = new Access.Open();

  private final Verbs.OfDaemon verbs;
  private final RequestCounts counts;
  private final WaitSlots slots;

  DaemonRoutes(Verbs.OfDaemon verbs, RequestCounts counts, WaitSlots slots) {
    this.verbs = verbs;
    this.counts = counts;
    this.slots = slots;
  }

  List<Route> routes() {
    return List.of(
        Route.of(OPEN, "GET", "/healthz", this::health)
            .about("Whether the daemon is alive.")
            .givesOther(200, Headers.TEXT),
        Route.of(verbs.ready(), "GET", "/readyz", this::ready)
            .about("Whether the daemon accepts tasks.")
            .gives(200, "Ready"),
        Route.of(verbs.metrics(), "GET", "/metrics", this::metrics)
            .about("The metrics, in the text format of Prometheus.")
            .givesOther(200, Headers.TEXT),
        Route.of(verbs.version(), "GET", "/version", this::version)
            .about("The version and the identity of the daemon.")
            .gives(200, "Version"));
  }

  /** Says nothing else, since it needs no authentication. */
  private Reply health(Call call) {
    return text("ok\n", "text/plain");
  }

  private Reply ready(Call call) throws InterruptedException {
    var _ = verbs.ready().run(call.asker(), new CheckReadiness.Request());
    return Reply.json(
        HttpStatus.OK_200, JsonNodeFactory.instance.objectNode().put("status", "ready"));
  }

  private Reply metrics(Call call) throws InterruptedException {
    var metrics = verbs.metrics().run(call.asker(), new ReadMetrics.Request());
    return text(MetricsText.of(metrics, counts, slots), MetricsText.CONTENT_TYPE);
  }

  private Reply version(Call call) throws InterruptedException {
    var version = verbs.version().run(call.asker(), new ShowVersion.Request());
    var about = version.about();
    return Reply.json(
        HttpStatus.OK_200,
        JsonNodeFactory.instance
            .objectNode()
            .put("version", about.version())
            .put("build", about.build())
            .put("protocol", about.protocol())
            .put("journal_id", version.journalId())
            .put("pid", version.pid())
            .put("started_at", about.startedAt().toString()));
  }

  private static Reply text(String text, String contentType) {
    return new Reply.Whole(
        HttpStatus.OK_200, contentType, Map.of(), text.getBytes(StandardCharsets.UTF_8));
  }
}
