package dev.errand.daemon.surface.http;

import static dev.errand.daemon.surface.http.Route.Access.CONTROL;
import static dev.errand.daemon.surface.http.Route.Access.OPEN;
import static dev.errand.daemon.surface.http.Route.Access.OWNER;
import static dev.errand.daemon.surface.http.Route.Access.READ;

import java.util.List;

/** All that can be asked over HTTP, in one table. */
final class RouteTable {

  private RouteTable() {}

  static List<Route> of(
      Services services,
      HttpSettings settings,
      RequestCounts counts,
      Places places,
      AttachRoutes attaching) {
    var repeats = new Repeats(services.tasks().engine(), services.tasks().journal());
    var tasks = new TaskRoutes(services, repeats, settings);
    var control = new ControlRoutes(services, repeats, places, settings);
    var waits = new WaitRoutes(services, places, settings);
    var approvals = new ApprovalRoutes(services, repeats);
    var events = new EventRoutes(services, places, settings);
    var allEvents = new AllEventRoutes(services, places, settings);
    var output = new OutputRoutes(services);
    var screens = new ScreenRoutes(services);
    var artifacts = new ArtifactRoutes(services, repeats, settings);
    var daemon = new DaemonRoutes(services, repeats, counts, places);
    var tokens = new TokenRoutes(services.access().tokens());
    var tools = new ToolRoutes(services.tools(), repeats, places);
    var sessions = new SessionRoutes(services.tasks().spawns().sessions(), repeats, settings);
    var batches = new BatchRoutes(services, repeats, places, settings);
    return List.of(
        Route.of(CONTROL, "POST", "/tasks", tasks::spawn),
        Route.of(READ, "GET", "/tasks", tasks::list)
            .query(
                "session_id",
                "status",
                "label",
                "kind",
                "active",
                "limit",
                "cursor",
                "id_prefix",
                "batch_id"),
        Route.of(READ, "GET", "/tasks/{id}", tasks::status),
        Route.of(CONTROL, "DELETE", "/tasks/{id}", tasks::remove),
        Route.of(READ, "GET", "/tasks/{id}/events", events::events)
            .query("after_seq", "follow", "limit"),
        Route.of(READ, "GET", "/tasks/{id}/output", output::output)
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
                "from_line"),
        Route.of(READ, "GET", "/tasks/{id}/screen", screens::screen)
            .query("at_seq", "format", "scrollback"),
        Route.of(CONTROL, "POST", "/tasks/{id}/cancel", control::cancel).query("wait"),
        Route.of(CONTROL, "POST", "/tasks/{id}/signal", control::signal),
        Route.of(CONTROL, "POST", "/tasks/{id}/stdin", control::stdin),
        Route.of(CONTROL, "POST", "/tasks/{id}/resize", control::resize),
        Route.of(CONTROL, "POST", "/tasks/{id}/approve", approvals::approve),
        Route.of(CONTROL, "POST", "/tasks/{id}/deny", approvals::deny),
        Route.of(READ, "POST", "/tasks/{id}/wait", waits::await).query("timeout"),
        Route.of(READ, "GET", "/tasks/{id}/attach", attaching::attach)
            .query("from", "after_seq", "stream", "view", "rows", "cols"),
        Route.of(READ, "GET", "/events", allEvents::events)
            .query("cursor", "session_id", "follow", "limit"),
        Route.of(CONTROL, "PUT", "/artifacts", artifacts::upload),
        Route.of(READ, "GET", "/artifacts/{sha256}", artifacts::artifact),
        Route.of(READ, "HEAD", "/artifacts/{sha256}", artifacts::artifact),
        Route.of(READ, "GET", "/logs/{log_id}", artifacts::log),
        Route.of(READ, "HEAD", "/logs/{log_id}", artifacts::log),
        Route.of(OPEN, "GET", "/healthz", daemon::health),
        Route.of(READ, "GET", "/readyz", daemon::ready),
        Route.of(READ, "GET", "/metrics", daemon::metrics),
        Route.of(READ, "GET", "/version", daemon::version),
        Route.of(OWNER, "POST", "/admin/shutdown", daemon::shutdown),
        Route.of(OWNER, "POST", "/admin/gc", daemon::gc),
        Route.of(OWNER, "GET", "/admin/config", daemon::config),
        Route.of(OWNER, "POST", "/admin/reload", daemon::reload),
        Route.of(CONTROL, "POST", "/tokens", tokens::mint),
        Route.of(READ, "GET", "/tokens", tokens::list),
        Route.of(CONTROL, "POST", "/tokens/{name}/rotate", tokens::rotate),
        Route.of(CONTROL, "DELETE", "/tokens/{name}", tokens::revoke),
        Route.of(READ, "GET", "/tools", tools::list).query("toolset"),
        Route.of(CONTROL, "POST", "/tools/{name}", tools::call),
        Route.of(READ, "GET", "/sessions", sessions::list).query("limit", "cursor"),
        Route.of(READ, "GET", "/sessions/{id}", sessions::show),
        Route.of(CONTROL, "DELETE", "/sessions/{id}", sessions::end),
        Route.of(READ, "GET", "/batches/{id}", batches::show).query("session_id"),
        Route.of(CONTROL, "POST", "/batches/{id}/cancel", batches::cancel).query("session_id"),
        Route.of(READ, "POST", "/batches/{id}/wait", batches::await).query("session_id"));
  }
}
