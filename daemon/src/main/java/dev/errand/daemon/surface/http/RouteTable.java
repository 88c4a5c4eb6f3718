package dev.errand.daemon.surface.http;

import dev.errand.daemon.verb.Access;
import dev.errand.daemon.verb.ShowVersion;
import dev.errand.daemon.verb.Verbs;
import dev.errand.daemon.verb.WaitSlots;
import dev.errand.wire.http.Headers;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.jetty.http.HttpStatus;

/**
 * All that can be asked over HTTP, in one table, each line with what is said of it in {@code GET
 * /openapi.json}.
 */
final class RouteTable {

  private static final Access COMMON = new Access.Common();
  private static final Access FILTERED = new Access.Filtered();
  private static final Access CONTROLS_OWN = new Access.ControlsOwn();
  private static final Access READS_TASK = new Access.Reads(Access.Target.TASK);
  private static final Access READS_LOG = new Access.Reads(Access.Target.LOG);
  private static final Access READS_ARTIFACT = new Access.Reads(Access.Target.ARTIFACT);

  private RouteTable() {}

  static List<Route> of(
      Services services,
      HttpSettings settings,
      RequestCounts counts,
      WaitSlots slots,
      AttachRoutes attaching) {
    var keyed = new KeyedRoutes(services.tasks().engine(), services.tasks().journal());
    var verbs = services.verbs();
    var output = new OutputRoutes(services, settings.clock());
    var artifacts = new ArtifactRoutes(services, keyed, settings);
    var all = new ArrayList<Route>();
    all.addAll(new TaskRoutes(verbs, settings).routes());
    all.addAll(new WaitRoutes(verbs.status(), settings).routes());
    all.addAll(new ControlRoutes(verbs.tasks(), settings).routes());
    all.addAll(new EventRoutes(verbs.events(), settings).routes());
    all.addAll(new AllEventRoutes(verbs.events(), settings).routes());
    all.addAll(ofRecords(output));
    all.addAll(new ScreenRoutes(verbs.status().screen()).routes());
    all.add(attach(attaching));
    all.addAll(new SessionRoutes(verbs.sessions(), settings).routes());
    all.addAll(new BatchRoutes(verbs.batches(), settings).routes());
    all.addAll(new InboxRoutes(verbs.inboxes(), settings).routes());
    all.addAll(new WebhookRoutes(verbs.webhooks()).routes());
    all.addAll(ofArtifacts(artifacts));
    all.addAll(new TokenRoutes(verbs.tokens()).routes());
    all.addAll(new ToolRoutes(services.tools(), verbs.tasks().spawn()).routes());
    all.addAll(new DaemonRoutes(verbs.daemon(), counts, slots).routes());
    all.addAll(new AdminRoutes(verbs.daemon()).routes());
    all.add(description(all, verbs.daemon().version()));
    return List.copyOf(all);
  }

  private static Route description(List<Route> routes, ShowVersion version) {
    return Route.of(
            COMMON,
            "GET",
            "/openapi.json",
            call -> {
              var about = version.run(call.asker(), new ShowVersion.Request()).about();
              return Reply.json(HttpStatus.OK_200, OpenApi.of(routes, about.version()));
            })
        .about("This description.")
        .gives(200, "Any");
  }

  private static List<Route> ofRecords(OutputRoutes output) {
    return List.of(
        Route.of(READS_TASK, "GET", "/tasks/{id}/output", output::output)
            .query(
                "stream",
                "offset_bytes",
                "max_bytes",
                "tail_bytes",
                "encoding",
                "line",
                "lines",
                "search",
                "context",
                "limit",
                "from_line")
            .about("Output of a task: as text, lines or matches, as Base64, or as the exact bytes.")
            .gives(200, "Output")
            .givesOther(200, Headers.OCTET_STREAM));
  }

  private static Route attach(AttachRoutes attaching) {
    return Route.of(READS_TASK, "GET", "/tasks/{id}/attach", attaching::attach)
        .query("from", "after_seq", "stream", "view", "rows", "cols")
        .about("A WebSocket that joins a client to a task.")
        .givesOther(101, "");
  }

  private static List<Route> ofArtifacts(ArtifactRoutes artifacts) {
    return List.of(
        Route.of(CONTROLS_OWN, "PUT", "/artifacts", artifacts::upload)
            .query("session_id")
            .about("Stores the body under its digest.")
            .gives(201, "Artifact"),
        Route.of(READS_ARTIFACT, "GET", "/artifacts/{sha256}", artifacts::artifact)
            .about("The bytes of an artifact.")
            .givesOther(200, Headers.OCTET_STREAM)
            .givesOther(206, Headers.OCTET_STREAM),
        Route.of(READS_ARTIFACT, "HEAD", "/artifacts/{sha256}", artifacts::artifact)
            .about("The size of an artifact.")
            .givesOther(200, ""),
        Route.of(READS_LOG, "GET", "/logs/{log_id}", artifacts::log)
            .about("The bytes of a log.")
            .givesOther(200, Headers.OCTET_STREAM)
            .givesOther(206, Headers.OCTET_STREAM),
        Route.of(READS_LOG, "HEAD", "/logs/{log_id}", artifacts::log)
            .about("The size of a log.")
            .givesOther(200, ""));
  }
}
