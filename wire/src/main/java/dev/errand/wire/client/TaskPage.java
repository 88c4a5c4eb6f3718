package dev.errand.wire.client;

import dev.errand.wire.http.Headers;
import dev.errand.wire.json.Json;
import dev.errand.wire.json.JsonFields;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Some of the tasks that a filter lets through, newest first, and where the next ones are. */
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

  /** Where the next page of any list is; null behind the last. */
  static @Nullable String next(BufferedResponse answer) {
    var link = answer.header(Headers.LINK);
    var next = NEXT.matcher(link == null ? "" : link);
    return next.find() ? next.group(1) : null;
  }
}
