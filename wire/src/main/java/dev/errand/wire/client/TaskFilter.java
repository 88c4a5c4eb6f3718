package dev.errand.wire.client;

import dev.errand.wire.http.Params;
import dev.errand.wire.http.Routes;
import java.util.LinkedHashMap;
import java.util.Map;

/** A filter for lists of tasks; each method returns a narrower filter. */
public record TaskFilter(Map<String, String> params) {
  public static final TaskFilter ALL = new TaskFilter(Map.of());

  public TaskFilter session(String sessionId) {
    return with(Params.SESSION_ID, sessionId);
  }

  /** One status word, or several with commas between. */
  public TaskFilter status(String words) {
    return with(Params.STATUS, words);
  }

  public TaskFilter label(String label) {
    return with(Params.LABEL, label);
  }

  public TaskFilter kind(String kind) {
    return with(Params.KIND, kind);
  }

  public TaskFilter active(boolean active) {
    return with(Params.ACTIVE, Boolean.toString(active));
  }

  public TaskFilter idPrefix(String prefix) {
    return with(Params.ID_PREFIX, prefix);
  }

  public TaskFilter batch(String batchId) {
    return with(Params.BATCH_ID, batchId);
  }

  /** How many to a page. */
  public TaskFilter limit(int tasks) {
    return with(Params.LIMIT, Integer.toString(tasks));
  }

  private TaskFilter with(String name, String value) {
    var more = new LinkedHashMap<>(params);
    more.put(name, value);
    return new TaskFilter(more);
  }

  String target() {
    var query = new Query(Routes.TASKS);
    params.forEach(query::with);
    return query.toString();
  }
}
