package dev.errand.daemon.verb;

import dev.errand.core.journal.TaskRow;
import dev.errand.core.task.QueuePlace;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.StatusWord;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskView;
import dev.errand.wire.json.Json;
import dev.errand.wire.json.JsonWriter;
import dev.errand.wire.json.StatusWriter;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * One task as a verb found it. The fields by which lists filter and count are present; its view is
 * looked up on demand, typed or encoded, so that a door pays only for the form that it uses.
 */
public final class ShownTask {
  private final TaskRow row;
  private final Map<TaskId, QueuePlace> places;
  private final ShownTasks source;
  private @Nullable TaskView view;

  ShownTask(TaskRow row, Map<TaskId, QueuePlace> places, ShownTasks source) {
    this.row = row;
    this.places = places;
    this.source = source;
  }

  public TaskId id() {
    return row.id();
  }

  /** The shortest unique prefix of its id that ends before a dash, or the whole id. */
  public String shortId() {
    return source.shortId(row.id());
  }

  public SessionId sessionId() {
    return row.sessionId();
  }

  public boolean isOver() {
    return !row.active();
  }

  public StatusWord status() {
    return row.status();
  }

  /** Whether its process ended by itself with exit code 0. */
  public boolean isSuccess() {
    return row.isSuccess();
  }

  /** When its result was first delivered; 0 before that. */
  public long readAtMs() {
    return row.lifetime().readAtMs();
  }

  /** Its view; for a live task as of the first call. */
  public TaskView view() {
    var known = view;
    if (known == null) {
      known = source.views().view(row, places);
      view = known;
    }
    return known;
  }

  /** The same as JSON; that of an ended task is passed on as it is stored. */
  public byte[] statusText() {
    return source.views().status(row, places);
  }

  /** The same, to add fields to; for a live task it tells the same as its view. */
  public ObjectNode statusTree() {
    return isOver()
        ? (ObjectNode) Json.read(statusText())
        : JsonWriter.tree(out -> StatusWriter.write(out, view()));
  }

  /** The time of its newest frame, or of its spawn if its frames are gone. */
  public long changedAtMs() {
    return source.changedAtMs(row.id()).orElseGet(() -> view().facts().origin().createdAtMs());
  }
}
