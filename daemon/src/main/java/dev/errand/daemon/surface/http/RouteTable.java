package dev.errand.daemon.surface.http;

import dev.errand.daemon.verb.Access;
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

  private static final Access OPEN = new Access.Open();
  private static final Access COMMON = new Access.Common();
  private static final Access SPAWNS = new Access.Spawns();
  private static final Access FILTERED = new Access.Filtered();
  private static final Access CONTROLS_OWN = new Access.ControlsOwn();
  private static final Access ALL_SESSIONS = new Access.AllSessions();
  private static final Access OWNER = new Access.Owner();
  private static final Access READS_TASK = new Access.Reads(Access.Target.TASK);
  private static final Access READS_SESSION = new Access.Reads(Access.Target.SESSION);
  private static final Access CONTROLS_SESSION = new Access.Controls(Access.Target.SESSION);
  private static final Access READS_LOG = new Access.Reads(Access.Target.LOG);
  private static final Access READS_ARTIFACT = new Access.Reads(Access.Target.ARTIFACT);

  private RouteTable() {}

  static List<Route> of(
      Services services, HttpSettings settings, RequestCounts counts, WaitSlots slots) {
    var keyed = new KeyedRoutes(services.tasks().engine(), services.tasks().journal());
    var tasks = new TaskRoutes(services, settings);
    var control = new ControlRoutes(services.verbs().tasks(), settings);
    var waits = new WaitRoutes(services, slots, settings);
    var events = new EventRoutes(services, slots, settings);
    var allEvents = new AllEventRoutes(services, slots, settings);
    var output = new OutputRoutes(services, settings.clock());
    var screens = new ScreenRoutes(services);
    var artifacts = new ArtifactRoutes(services, keyed, settings);
    var daemon = new DaemonRoutes(services, keyed, counts, slots, settings.clock());
    var tokens = new TokenRoutes(services.tokens(), services.inbox().webhooks());
    var tools = new ToolRoutes(services.tools(), services.verbs().tasks().spawn());
    var inbox = new InboxRoutes(services, keyed, slots, settings);
    var webhooks = new WebhookRoutes(services.inbox().webhooks());
    var all = new ArrayList<Route>();
    all.addAll(ofTasks(services.verbs().tasks(), tasks, waits));
    all.addAll(control.routes());
    all.addAll(ofRecords(events, allEvents, output, screens));
    all.addAll(new AttachRoutes(services.verbs().tasks().attach(), settings.clock()).routes());
    all.addAll(new SessionRoutes(services.verbs().sessions(), settings).routes());
    all.addAll(new BatchRoutes(services.verbs().batches(), settings).routes());
    all.addAll(ofInboxes(inbox, webhooks));
    all.addAll(ofArtifacts(artifacts));
    all.addAll(ofTokens(tokens));
    all.addAll(ofTools(tools));
    all.addAll(ofDaemon(daemon));
    var version = services.daemon().about().version();
    Route.Answer description = _ -> Reply.json(HttpStatus.OK_200, OpenApi.of(all, version));
    all.add(
        Route.of(COMMON, "GET", "/openapi.json", description)
            .about("This description.")
            .gives(200, "Any"));
    return List.copyOf(all);
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
      EventRoutes events, AllEventRoutes allEvents, OutputRoutes output, ScreenRoutes screens) {
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
            .givesOther(200, Headers.HTML));
  }

  private static List<Route> ofInboxes(InboxRoutes inbox, WebhookRoutes webhooks) {
    return List.of(
        Route.of(READS_SESSION, "GET", "/sessions/{id}/inbox", inbox::inbox)
            .query("after", "limit", "wait", "all", "follow")
            .about("Notices of a session that nobody has acknowledged.")
            .givesPage("Notice")
            .givesOther(200, Headers.EVENT_STREAM)
            .givesOther(200, Headers.TEXT),
        Route.of(CONTROLS_SESSION, "POST", "/sessions/{id}/inbox/ack", inbox::acknowledge)
            .about("Acknowledges notices, which are delivered no more.")
            .takes("Acknowledge")
            .gives(200, "Acknowledged"),
        Route.of(CONTROLS_SESSION, "PUT", "/sessions/{id}/webhook", webhooks::set)
            .about("Has the notices of a session posted to an address.")
            .takes("NewWebhook")
            .gives(200, "Webhook"),
        Route.of(READS_SESSION, "GET", "/sessions/{id}/webhook", webhooks::show)
            .about("Where the notices of a session are posted.")
            .gives(200, "Webhook"),
        Route.of(CONTROLS_SESSION, "DELETE", "/sessions/{id}/webhook", webhooks::remove)
            .about("Posts no more notices.")
            .gives(200, "WebhookRemoved"),
        Route.of(READS_SESSION, "GET", "/sessions/{id}/webhook/tries", webhooks::tries)
            .about("The last tries to post a notice, newest first.")
            .givesPage("WebhookTry"));
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

  private static List<Route> ofTokens(TokenRoutes tokens) {
    return List.of(
        Route.of(CONTROLS_OWN, "POST", "/tokens", tokens::mint)
            .about("Makes a token, which is shown this once.")
            .takes("NewToken")
            .gives(201, "Token"),
        Route.of(FILTERED, "GET", "/tokens", tokens::list)
            .about("The tokens that are the caller's to manage.")
            .givesPage("Token"),
        Route.of(CONTROLS_OWN, "POST", "/tokens/{name}/rotate", tokens::rotate)
            .about("Gives a token a new secret.")
            .gives(200, "Token"),
        Route.of(CONTROLS_OWN, "DELETE", "/tokens/{name}", tokens::revoke)
            .about("Takes a token away, with all that it made.")
            .gives(200, "Revoked"));
  }

  private static List<Route> ofTools(ToolRoutes tools) {
    return List.of(
        Route.of(COMMON, "GET", "/tools", tools::list)
            .query("toolset")
            .about("The catalogue of tools.")
            .givesPage("Tool"),
        Route.of(SPAWNS, "POST", "/tools/{name}", tools::call)
            .unread(tools::unread)
            .query("session_id", "batch_id", "justification")
            .about("Calls a tool; the body is its arguments.")
            .takes("Any")
            .gives(200, "ToolResult"));
  }

  private static List<Route> ofDaemon(DaemonRoutes daemon) {
    return List.of(
        Route.of(OPEN, "GET", "/healthz", daemon::health)
            .about("Whether the daemon lives.")
            .givesOther(200, Headers.TEXT),
        Route.of(COMMON, "GET", "/readyz", daemon::ready)
            .about("Whether it takes tasks.")
            .gives(200, "Ready"),
        Route.of(ALL_SESSIONS, "GET", "/metrics", daemon::metrics)
            .about("Its figures, in the text form of Prometheus.")
            .givesOther(200, Headers.TEXT),
        Route.of(COMMON, "GET", "/version", daemon::version)
            .about("Which daemon this is.")
            .gives(200, "Version"),
        Route.of(OWNER, "POST", "/admin/shutdown", daemon::shutdown)
            .about("Stops the daemon, and if asked to its tasks.")
            .takes("Shutdown")
            .gives(202, "Stopping"),
        Route.of(OWNER, "POST", "/admin/gc", daemon::gc)
            .about("Cleans up now.")
            .gives(200, "Cleaned"),
        Route.of(OWNER, "GET", "/admin/config", daemon::config)
            .about("What is set, and where each value comes from.")
            .gives(200, "Settings"),
        Route.of(OWNER, "POST", "/admin/reload", daemon::reload)
            .about("Reads the settings again.")
            .gives(200, "Reloaded"),
        Route.of(OWNER, "GET", "/admin/processes", daemon::processes)
            .about("Processes of tasks that live on beside them.")
            .gives(200, "Processes"),
        Route.of(OWNER, "POST", "/admin/processes/end", daemon::endProcess)
            .about("Ends one of those, with what it has started.")
            .takes("ProcessToEnd")
            .gives(200, "ProcessEnded"));
  }
}
