package dev.errand.wire.json;

import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskSpec;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Whom a task is asked for, and the names it is given; what the caller left open is absent. */
public record SpawnNames(
    @Nullable SessionId sessionId,
    @Nullable String label,
    @Nullable String title,
    @Nullable String originSessionId) {
  private static final RequestField<FieldType.Text> TITLE =
      RequestField.of("title", new FieldType.Text(200), "a title for people");
  private static final RequestField<FieldType.Name> LABEL =
      RequestField.of("label", names("[A-Za-z0-9._-]{1,64}", ""), "a name to find it by");
  private static final RequestField<FieldType.Name> SESSION =
      RequestField.of(
          "session_id",
          names("[A-Za-z0-9][A-Za-z0-9._-]{0,63}", ", beginning with a letter or digit"),
          "the session that it belongs to; default: your own");
  private static final RequestField<FieldType.Text> ORIGIN =
      RequestField.of("origin_session_id", new FieldType.Text(200), "where the request came from");

  static final List<RequestField<?>> FIELDS = List.of(TITLE, ORIGIN, SESSION, LABEL);

  private static FieldType.Name names(String form, String more) {
    return new FieldType.Name(form, 64, "1 to 64 letters, digits, '.', '_' or '-'" + more);
  }

  static SpawnNames read(RequestFields body) {
    var session = body.name(SESSION);
    return new SpawnNames(
        session == null ? null : new SessionId(session),
        body.name(LABEL),
        body.text(TITLE),
        body.text(ORIGIN));
  }

  TaskSpec.Origin spec(String by, SpawnRequest.Defaults defaults) {
    var session = sessionId == null ? defaults.sessionId() : sessionId;
    return new TaskSpec.Origin(session, by, label, title, originSessionId);
  }
}
