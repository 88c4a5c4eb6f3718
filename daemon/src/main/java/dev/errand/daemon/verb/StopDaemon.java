package dev.errand.daemon.verb;

import dev.errand.wire.json.RequestFields;
import java.time.Duration;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Starts to stop the daemon and, if requested, its tasks. */
public final class StopDaemon extends Change<StopDaemon.Request, StopDaemon.Stopping> {
  private static final String ALL = "all";
  private static final String RESTART = "restart";
  private static final String ON_STOP = "on_stop";
  private static final String WAIT_MS = "wait_ms";

  public static final List<String> FIELDS = List.of(ALL, RESTART);

  private final Admin admin;

  public record Request(Admin.Stop stop) implements Change.Request, OfNothing {

    /** Reads the fields of a call. */
    public static Request read(RequestFields fields) {
      var all = fields.bool(ALL, false);
      var restart = fields.bool(RESTART, false);
      if (all && restart) {
        throw RequestFields.invalid("all ends every task and restart ends none: give one of them");
      }
      if (all) {
        return new Request(Admin.Stop.WITH_ALL);
      }
      return new Request(restart ? Admin.Stop.FOR_RESTART : Admin.Stop.FOR_NOW);
    }

    @Override
    public List<String> words() {
      return List.of(stop.name());
    }
  }

  /**
   * The stop that has started.
   *
   * @param all whether its tasks end too
   * @param onStop what happens to tasks, as the word of the setting
   * @param waitMax how long the daemon waits for the tasks
   */
  public record Stopping(boolean all, String onStop, Duration waitMax) {}

  StopDaemon(Verbs.Parts parts) {
    super("stop_daemon", new Access.Owner(), parts.floor());
    this.admin = parts.running().admin();
  }

  @Override
  Stopping change(Ask ask, Request request, Once<Stopping> once) {
    var begun = admin.shutdown(request.stop());
    return new Stopping(request.stop() == Admin.Stop.WITH_ALL, begun.onStop(), begun.waitMax());
  }

  @Override
  ObjectNode remembered(Stopping stopping) {
    return JsonNodeFactory.instance
        .objectNode()
        .put(ALL, stopping.all())
        .put(ON_STOP, stopping.onStop())
        .put(WAIT_MS, stopping.waitMax().toMillis());
  }

  @Override
  Stopping again(JsonNode remembered) {
    return new Stopping(
        remembered.path(ALL).booleanValue(),
        remembered.path(ON_STOP).stringValue(""),
        Duration.ofMillis(remembered.path(WAIT_MS).longValue()));
  }
}
