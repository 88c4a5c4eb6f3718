package dev.errand.daemon.surface.http;

import dev.errand.core.error.ErrandException;
import dev.errand.core.journal.TaskQuery;
import dev.errand.core.task.StatusWord;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskView;
import dev.errand.daemon.access.Reach;
import dev.errand.daemon.verb.SpawnTask;
import dev.errand.wire.http.Params;
import dev.errand.wire.json.Json;
import java.io.IOException;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Tasks as things: made, listed, looked at and removed. */
final class TaskRoutes {
  private static final int PAGE_DEFAULT = 50;
  private static final int PREFIX_MATCHES_MAX = 10;
  private static final Pattern ID_PREFIX = Pattern.compile("[0-9a-f-]{1,36}");
  private final Services services;
  private final HttpSettings settings;

  TaskRoutes(Services services, HttpSettings settings) {
    this.services = services;
    this.settings = settings;
  }

  Reply spawn(Call call) throws IOException, InterruptedException {
    var caller = call.caller();
    var request =
        new SpawnTask.Request(
            body(call), caller.session(), caller.boundTo(), UnaryOperator.identity());
    return created(services.verbs().tasks().spawn().run(call.ask(), request));
  }

  private JsonNode body(Call call) throws IOException {
    try {
      return Json.readRequest(call.body());
    } catch (ErrandException e) {
      unread(call, e);
      throw e;
    }
  }

  /** A call that cannot be read is a refused task too, though nobody knows of which tool. */
  void unread(Call call, ErrandException refusal) {
    var caller = call.caller();
    services.verbs().tasks().spawn().unread(caller, caller.session(), "", refusal);
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

  Reply list(Call call) {
    var prefix = call.query(Params.ID_PREFIX);
    if (prefix != null) {
      return withPrefix(call, prefix);
    }
    var limit = call.pageLimit(PAGE_DEFAULT, settings);
    var listed = services.tasks().views().list(taskQuery(call, PageOf.toRead(limit)));
    var page = PageOf.of(listed, limit);
    return page.linked(
        page.reply(it -> it.statusText()), call, Params.CURSOR, it -> it.id().value());
  }

  private Reply withPrefix(Call call, String prefix) {
    if (!ID_PREFIX.matcher(prefix).matches()) {
      throw Call.invalid("id_prefix is the beginning of an id: up to 36 of 0-9, a-f and '-'");
    }
    var journal = services.tasks().journal();
    var ids = journal.idsWithPrefix(prefix, PREFIX_MATCHES_MAX);
    var bound = call.caller().boundTo();
    return Reply.page(
        ids.stream()
            .map(it -> services.tasks().views().rowOf(it))
            .filter(it -> bound == null || Reach.covers(journal, bound, it))
            .map(it -> services.tasks().views().status(it))
            .toList());
  }

  /** Who is kept to a session is shown all that belongs to it, unless it asks for less. */
  private static TaskQuery taskQuery(Call call, int limit) {
    var bound = call.caller().boundTo();
    return new TaskQuery(
        call.querySession(),
        call.query(Params.LABEL),
        call.query(Params.KIND),
        statuses(call.query(Params.STATUS)),
        call.query(Params.ACTIVE) == null ? null : (Boolean) call.queryFlag(Params.ACTIVE, true),
        before(call.query(Params.CURSOR)),
        limit,
        call.query(Params.BATCH_ID),
        bound != null && call.query(Params.SESSION_ID) == null);
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

  private static @Nullable TaskId before(@Nullable String cursor) {
    try {
      return cursor == null ? null : new TaskId(cursor);
    } catch (IllegalArgumentException _) {
      throw Call.invalid("this is no cursor of a list of tasks; take it from the Link header");
    }
  }

  Reply status(Call call) {
    var row = services.tasks().views().rowOf(call.taskId());
    var status = services.tasks().views().status(row);
    ResultsRead.note(services, row, call);
    return Reply.json(HttpStatus.OK_200, status);
  }
}
