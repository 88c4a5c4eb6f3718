package dev.errand.wire.client;

import dev.errand.wire.http.Headers;
import dev.errand.wire.json.Json;
import dev.errand.wire.json.JsonFields;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A page of the tasks that match a filter, newest first, and the position of the next page. */
public record TaskPage(List<TaskStatus> tasks, @Nullable String next) {
  private static final Pattern NEXT = Pattern.compile("<(/[^>]*)>\\s*;\\s*rel=\"?next\"?");

  public TaskPage {
    tasks = List.copyOf(tasks);
  }

  static TaskPage of(BufferedResponse answer) {
    var tasks = new ArrayList<TaskStatus>();
    for (var task : Json.read(answer.body())) {
      tasks.add(new TaskStatus(new JsonFields(task)));
    }
    return new TaskPage(tasks, next(answer));
  }

  /** The position of the next page of any list; null after the last. */
  static @Nullable String next(BufferedResponse answer) {
    var link = answer.header(Headers.LINK);
    var next = NEXT.matcher(link == null ? "" : link);
    return next.find() ? next.group(1) : null;
  }
}
