package dev.errand.daemon.verb;

import dev.errand.core.journal.TaskRow;
import dev.errand.core.task.ListeningPort;
import dev.errand.core.task.QueuePlace;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.StatusWord;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskView;
import dev.errand.wire.json.JsonWriter;
import dev.errand.wire.json.StatusWriter;
import java.util.List;
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

  /**
   * The TCP ports that its processes listen on at this moment, by number and at most 32; none
   * unless it runs. Lists do without, since each call looks at the processes.
   */
  public List<ListeningPort> ports() {
    return isRunning() ? source.processes().ports(row.id()) : List.of();
  }

  /**
   * Whether its processes are stopped at this moment, by a signal or by job control: its first one
   * and all others of that process group.
   */
  public boolean isStopped() {
    return isRunning() && source.processes().isStopped(row.id());
  }

  private boolean isRunning() {
    return row.status() == StatusWord.RUNNING;
  }

  /** The status as JSON, with what a look at its processes shows where there is something. */
  public byte[] liveStatusText() {
    return isRunning() ? JsonWriter.object(this::writeLiveStatus) : statusText();
  }

  /** The fields of the same. */
  public void writeLiveStatus(JsonWriter out) {
    StatusWriter.write(out, view());
    writeLive(out);
  }

  /** What a look at its processes shows, where there is something. */
  public void writeLive(JsonWriter out) {
    if (!(view() instanceof TaskView.Running)) {
      return;
    }
    var ports = ports();
    if (!ports.isEmpty()) {
      out.array("ports", list -> ports.forEach(port -> list.item(it -> write(it, port))));
    }
    if (isStopped()) {
      out.bool("stopped", true);
    }
  }

  private static void write(JsonWriter out, ListeningPort port) {
    out.number("port", port.port()).text("address", port.address());
  }

  /** The status as JSON, to add fields to. */
  public ObjectNode statusTree() {
    return JsonWriter.tree(out -> StatusWriter.write(out, view()));
  }

  /** The time of its newest frame, or of its spawn if its frames are gone. */
  public long changedAtMs() {
    return source.changedAtMs(row.id()).orElseGet(() -> view().facts().origin().createdAtMs());
  }
}
