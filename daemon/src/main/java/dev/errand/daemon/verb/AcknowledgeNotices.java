package dev.errand.daemon.verb;

import dev.errand.core.task.SessionId;
import dev.errand.daemon.inbox.Inbox;
import dev.errand.wire.json.RequestFields;
import java.util.List;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Acknowledges notices of a session, which are then no longer delivered. */
public final class AcknowledgeNotices
    extends Change<AcknowledgeNotices.Request, AcknowledgeNotices.Acknowledged> {
  private static final String IDS = "ids";
  private static final String UP_TO = "up_to";
  private static final String ACKNOWLEDGED = "acknowledged";

  public static final List<String> FIELDS = List.of(IDS, UP_TO);

  private static final int IDS_MAX = 1_000;
  private static final int CURSOR_CHARS_MAX = 64;

  private final Inbox inbox;

  public record Request(SessionId sessionId, Selection selection)
      implements Change.Request, OfSession {

    /** Reads the fields of a call. */
    public static Request read(SessionId sessionId, RequestFields fields) {
      if (fields.has(IDS) == fields.has(UP_TO)) {
        throw RequestFields.invalid("give either ids, a list of notices, or up_to, a cursor");
      }
      if (fields.has(UP_TO)) {
        return new Request(
            sessionId, new Selection.UpTo(fields.requiredText(UP_TO, CURSOR_CHARS_MAX)));
      }
      var ids = fields.texts(IDS);
      if (ids.size() > IDS_MAX) {
        throw RequestFields.invalid(
            "ids has " + ids.size() + " entries; at most " + IDS_MAX + " are allowed");
      }
      return new Request(sessionId, new Selection.Ids(ids));
    }

    @Override
    public List<String> words() {
      return Stream.concat(Stream.of(sessionId.value()), selection.words()).toList();
    }
  }

  /** The notices to acknowledge. */
  public sealed interface Selection {

    /** These; unknown ones are skipped. */
    record Ids(List<String> ids) implements Selection {
      public Ids {
        ids = List.copyOf(ids);
      }
    }

    /** All up to this cursor. */
    record UpTo(String cursor) implements Selection {}

    private Stream<String> words() {
      return switch (this) {
        case Ids(var ids) -> Stream.concat(Stream.of(IDS), ids.stream());
        case UpTo(var cursor) -> Stream.of(UP_TO, cursor);
      };
    }
  }

  /** How many were not acknowledged before. */
  public record Acknowledged(int count) {}

  AcknowledgeNotices(Verbs.Parts parts) {
    super("acknowledge_notices", new Access.Controls(Access.Target.SESSION), parts.floor());
    this.inbox = parts.told().inbox();
  }

  @Override
  Acknowledged change(Ask ask, Request request, Once<Acknowledged> once) {
    var sessionId = request.sessionId();
    var by = ask.caller().principal();
    return new Acknowledged(
        switch (request.selection()) {
          case Selection.Ids(var ids) -> inbox.acknowledge(sessionId, ids, by);
          case Selection.UpTo(var cursor) ->
              inbox.acknowledge(sessionId, CursorText.read(cursor), by);
        });
  }

  @Override
  ObjectNode remembered(Acknowledged acknowledged) {
    return JsonNodeFactory.instance.objectNode().put(ACKNOWLEDGED, acknowledged.count());
  }

  @Override
  Acknowledged again(JsonNode remembered) {
    return new Acknowledged(remembered.path(ACKNOWLEDGED).intValue());
  }
}
