package dev.errand.daemon.surface.http;

import dev.errand.daemon.tool.Catalogue;
import dev.errand.daemon.verb.Access;
import dev.errand.daemon.verb.ShowVersion;
import dev.errand.daemon.verb.Verbs;
import dev.errand.daemon.verb.WaitSlots;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.jetty.http.HttpStatus;

/** All routes, in one table, each with its description for {@code GET /openapi.json}. */
final class RouteTable {

  private static final Access COMMON = new Access.Common();

  private RouteTable() {}

  static List<Route> of(
      Verbs verbs, Catalogue tools, HttpSettings settings, RequestCounts counts, WaitSlots slots) {
    var all = new ArrayList<Route>();
    all.addAll(new TaskRoutes(verbs, settings).routes());
    all.addAll(new WaitRoutes(verbs.status(), settings).routes());
    all.addAll(new ControlRoutes(verbs.tasks(), settings).routes());
    all.addAll(new EventRoutes(verbs.events(), settings).routes());
    all.addAll(new AllEventRoutes(verbs.events(), settings).routes());
    all.addAll(new OutputRoutes(verbs.output()).routes());
    all.addAll(new ScreenRoutes(verbs.status().screen()).routes());
    all.addAll(new AttachRoutes(verbs.tasks().attach(), settings.clock()).routes());
    all.addAll(new SessionRoutes(verbs.sessions(), settings).routes());
    all.addAll(new BatchRoutes(verbs.batches(), settings).routes());
    all.addAll(new InboxRoutes(verbs.inboxes(), settings).routes());
    all.addAll(new WebhookRoutes(verbs.webhooks()).routes());
    all.addAll(new ArtifactRoutes(verbs.output(), settings).routes());
    all.addAll(new TokenRoutes(verbs.tokens()).routes());
    all.addAll(new ToolRoutes(tools, verbs.tasks().spawn()).routes());
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
}
