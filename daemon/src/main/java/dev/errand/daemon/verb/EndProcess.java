package dev.errand.daemon.verb;

import dev.errand.wire.json.RequestFields;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Ends a process that outlives its task, with all that it started. */
public final class EndProcess extends Change<EndProcess.Request, Admin.EndedProcess> {
  private static final String PID = "pid";
  private static final String KILLED = "killed";
  private static final String SURVIVORS = "survivors";

  public static final List<String> FIELDS = List.of(PID);

  private final Admin admin;

  public record Request(long pid) implements Change.Request {

    /** Reads the fields of a call. */
    public static Request read(RequestFields fields) {
      var pid = fields.integer(PID, 2, Integer.MAX_VALUE);
      if (pid == null) {
        throw RequestFields.invalid("name the process to end: {\"pid\": 1234}");
      }
      return new Request(pid);
    }

    @Override
    public String target() {
      return Long.toString(pid);
    }

    @Override
    public List<String> words() {
      return List.of(target());
    }
  }

  EndProcess(Verbs.Parts parts) {
    super("end_process", new Access.Owner(), parts.floor());
    this.admin = parts.running().admin();
  }

  @Override
  Admin.EndedProcess change(Ask ask, Request request, Once<Admin.EndedProcess> once)
      throws InterruptedException {
    return admin.endProcess(request.pid(), ask.caller().principal());
  }

  @Override
  ObjectNode remembered(Admin.EndedProcess ended) {
    var node = JsonNodeFactory.instance.objectNode().put(PID, ended.pid());
    ended.killed().forEach(node.putArray(KILLED)::add);
    ended.survivors().forEach(node.putArray(SURVIVORS)::add);
    return node;
  }

  @Override
  Admin.EndedProcess again(JsonNode remembered) {
    return new Admin.EndedProcess(
        remembered.path(PID).longValue(),
        pids(remembered.path(KILLED)),
        pids(remembered.path(SURVIVORS)));
  }

  private static List<Long> pids(JsonNode array) {
    return array.valueStream().map(it -> it.longValue()).toList();
  }
}
