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
    var tasks = new TaskRoutes(services, settings);
    var control = new ControlRoutes(services.verbs().tasks(), settings);
    var waits = new WaitRoutes(services, slots, settings);
    var events = new EventRoutes(services, slots, settings);
    var allEvents = new AllEventRoutes(services, slots, settings);
    var output = new OutputRoutes(services, settings.clock());
    var screens = new ScreenRoutes(services);
    var artifacts = new ArtifactRoutes(services, keyed, settings);
    var verbs = services.verbs();
    var all = new ArrayList<Route>();
    all.addAll(ofTasks(services.verbs().tasks(), tasks, waits));
    all.addAll(control.routes());
    all.addAll(ofRecords(events, allEvents, output, screens, attaching));
    all.addAll(new SessionRoutes(services.verbs().sessions(), settings).routes());
    all.addAll(new BatchRoutes(services.verbs().batches(), settings).routes());
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

  private static List<Route> ofTasks(Verbs.OfTasks verbs, TaskRoutes tasks, WaitRoutes waits) {
    return List.of(
        Route.of(verbs.spawn(), "POST", "/tasks", tasks::spawn)
            .unread(tasks::unread)
            .about("Spawns a task.")
            .takes("Spawn")
            .gives(201, "Spawned"),
        Route.of(FILTERED, "GET", "/tasks", tasks::list)
            .query(
                "session_id",
                "status",
                "label",
                "kind",
                "active",
                "limit",
                "cursor",
                "id_prefix",
                "batch_id")
            .about("Lists tasks, newest first.")
            .givesPage("Status"),
        Route.of(READS_TASK, "GET", "/tasks/{id}", tasks::status)
            .about("The status of a task.")
            .gives(200, "Status"),
        Route.of(READS_TASK, "POST", "/tasks/{id}/wait", waits::await)
            .query("timeout")
            .about("Waits until something holds, the task is over, or the time has passed.")
            .takes("Wait")
            .gives(200, "Awaited"));
  }

  private static List<Route> ofRecords(
      EventRoutes events,
      AllEventRoutes allEvents,
      OutputRoutes output,
      ScreenRoutes screens,
      AttachRoutes attaching) {
    return List.of(
        Route.of(READS_TASK, "GET", "/tasks/{id}/events", events::events)
            .query("after_seq", "follow", "limit")
            .about("The frames of a task: as events, or as a page of JSON.")
            .givesOther(200, Headers.EVENT_STREAM)
            .givesPage("Frame"),
        Route.of(FILTERED, "GET", "/events", allEvents::events)
            .query("cursor", "session_id", "follow", "limit")
            .about("The frames of all tasks and sessions: as events, or as a page of JSON.")
            .givesOther(200, Headers.EVENT_STREAM)
            .givesPage("Frame"),
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
            .givesOther(200, Headers.OCTET_STREAM),
        Route.of(READS_TASK, "GET", "/tasks/{id}/screen", screens::screen)
            .query("at_seq", "format", "scrollback")
            .about("What is seen of a terminal.")
            .gives(200, "Screen")
            .givesOther(200, Headers.TEXT)
            .givesOther(200, Headers.HTML),
        Route.of(READS_TASK, "GET", "/tasks/{id}/attach", attaching::attach)
            .query("from", "after_seq", "stream", "view", "rows", "cols")
            .about("A WebSocket that joins a client to a task.")
            .givesOther(101, ""));
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
