package dev.errand.daemon.verb;

import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Removes at once what has passed its retention. */
public final class CleanUp extends Change<CleanUp.Request, Admin.Cleaned> {
  private static final String TASKS = "tasks";
  private static final String ARTIFACTS = "artifacts";
  private static final String LOGS = "logs";
  private static final String BUILDS = "builds";
  private static final String BYTES_STORED = "bytes_stored";

  private final Admin admin;

  public record Request() implements Change.Request, OfNothing {
    @Override
    public List<String> words() {
      return List.of();
    }
  }

  CleanUp(Verbs.Parts parts) {
    super("clean_up", new Access.Owner(), parts.floor());
    this.admin = parts.running().admin();
  }

  @Override
  Admin.Cleaned change(Ask ask, Request request, Once<Admin.Cleaned> once) {
    return admin.gc();
  }

  @Override
  ObjectNode remembered(Admin.Cleaned cleaned) {
    return JsonNodeFactory.instance
        .objectNode()
        .put(TASKS, cleaned.tasks())
        .put(ARTIFACTS, cleaned.artifacts())
        .put(LOGS, cleaned.logs())
        .put(BUILDS, cleaned.builds())
        .put(BYTES_STORED, cleaned.bytesStored());
  }

  @Override
  Admin.Cleaned again(JsonNode remembered) {
    return new Admin.Cleaned(
        remembered.path(TASKS).longValue(),
        remembered.path(ARTIFACTS).longValue(),
        remembered.path(LOGS).longValue(),
        remembered.path(BUILDS).longValue(),
        remembered.path(BYTES_STORED).longValue());
  }
}
