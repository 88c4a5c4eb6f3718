package dev.errand.daemon.surface.http;

import dev.errand.core.error.ErrandException;
import dev.errand.core.task.StatusWord;
import dev.errand.core.task.TaskView;
import dev.errand.daemon.verb.ListTasks;
import dev.errand.daemon.verb.ShowTask;
import dev.errand.daemon.verb.ShownTask;
import dev.errand.daemon.verb.SpawnTask;
import dev.errand.daemon.verb.Verbs;
import dev.errand.wire.http.Params;
import dev.errand.wire.json.Json;
import java.io.IOException;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Tasks: spawning, listing and showing them. */
final class TaskRoutes {
  private static final int PAGE_DEFAULT = 50;

  private final Verbs.OfTasks verbs;
  private final Verbs.OfStatus status;
  private final HttpSettings settings;

  TaskRoutes(Verbs verbs, HttpSettings settings) {
    this.verbs = verbs.tasks();
    this.status = verbs.status();
    this.settings = settings;
  }

  List<Route> routes() {
    return List.of(
        Route.of(verbs.spawn(), "POST", "/tasks", this::spawn)
            .unread(this::unread)
            .about("Spawns a task.")
            .takes("Spawn")
            .gives(201, "Spawned"),
        Route.of(status.list(), "GET", "/tasks", this::list)
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
        Route.of(status.show(), "GET", "/tasks/{id}", this::show)
            .about("The status of a task.")
            .gives(200, "Status"));
  }

  private Reply spawn(Call call) throws IOException, InterruptedException {
    var caller = call.caller();
    var request = new SpawnTask.Request(body(call), caller.session(), caller.boundTo());
    return created(verbs.spawn().run(call.ask(), request).view());
  }

  private JsonNode body(Call call) throws IOException {
    try {
      return Json.readRequest(call.body());
    } catch (ErrandException e) {
      unread(call, e);
      throw e;
    }
  }

  /** A call that cannot be parsed is a refused task too, with an unknown tool. */
  private void unread(Call call, ErrandException refusal) {
    var caller = call.caller();
    verbs.spawn().unread(caller, caller.session(), "", refusal);
  }

  private static Reply created(TaskView view) {
    var taskId = view.id().value();
    var body = JsonNodeFactory.instance.objectNode().put("task_id", taskId);
    if (view instanceof TaskView.Held) {
      body.put("held", true);
    }
    return Reply.json(HttpStatus.CREATED_201, body)
        .with(HttpHeader.LOCATION.asString(), "/tasks/" + taskId);
  }

  private Reply list(Call call) throws InterruptedException {
    var page = status.list().run(call.asker(), listed(call));
    return Reply.page(page.map(ShownTask::statusText), call, Params.CURSOR);
  }

  private ListTasks.Request listed(Call call) {
    var prefix = call.query(Params.ID_PREFIX);
    if (prefix != null) {
      return new ListTasks.Beginning(prefix);
    }
    var limit = call.pageLimit(PAGE_DEFAULT, settings);
    return new ListTasks.Matching(filter(call), call.query(Params.CURSOR), limit);
  }

  private static ListTasks.Filter filter(Call call) {
    return new ListTasks.Filter(
        call.namedSession(),
        call.query(Params.LABEL),
        call.query(Params.KIND),
        statuses(call.query(Params.STATUS)),
        call.query(Params.ACTIVE) == null ? null : (Boolean) call.queryFlag(Params.ACTIVE, true),
        call.query(Params.BATCH_ID));
  }

  private static Set<StatusWord> statuses(@Nullable String text) {
    if (text == null) {
      return Set.of();
    }
    var statuses = EnumSet.noneOf(StatusWord.class);
    for (var word : text.split(",", -1)) {
      statuses.add(StatusWord.ofWord(word).orElseThrow(() -> unknownStatus(word)));
    }
    return statuses;
  }

  private static ErrandException unknownStatus(String word) {
    var known = Arrays.stream(StatusWord.values()).map(StatusWord::word).toList();
    return Call.invalid(
        "unknown status '%s'; status is a comma-separated list of %s"
            .formatted(word, String.join(", ", known)));
  }

  private Reply show(Call call) throws InterruptedException {
    var task = status.show().run(call.asker(), new ShowTask.Request(call.taskId()));
    return Reply.json(HttpStatus.OK_200, task.liveStatusText());
  }
}
