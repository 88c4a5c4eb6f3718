package dev.errand.daemon.verb;

import dev.errand.core.task.SessionId;
import dev.errand.wire.json.RequestFields;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Asks for the end of all tasks of a batch; if the caller may not end one of them, none is ended.
 */
public final class CancelBatch extends Change<CancelBatch.Request, BatchView> {
  private static final String SESSION_ID = "session_id";
  private static final String BATCH_ID = "batch_id";
  private static final String SHOWN_MAX = "shown_max";

  private final BatchVerbs batches;
  private final Authorizer authorizer;

  public record Request(SessionId sessionId, String batchId, String reason, int shownMax)
      implements Change.Request, BatchVerbs.OfBatch {

    /** Reads the fields of a call. */
    public static Request read(
        SessionId sessionId, String batchId, RequestFields fields, int shownMax) {
      return new Request(sessionId, batchId, CancelTask.reasonIn(fields), shownMax);
    }

    @Override
    public List<String> words() {
      return List.of(sessionId.value(), batchId, reason);
    }
  }

  CancelBatch(Verbs.Parts parts) {
    super("cancel_batch", new Access.ControlsOwn(), parts.floor());
    this.batches = parts.batchVerbs();
    this.authorizer = parts.floor().authorizer();
  }

  @Override
  BatchView change(Ask ask, Request request, Once<BatchView> once) {
    reached(ask).mustCover(request.sessionId());
    var caller = ask.caller();
    var batch =
        batches
            .batches()
            .cancel(
                request.sessionId(),
                request.batchId(),
                request.reason(),
                caller.principal(),
                it -> authorizer.checkTrust(caller, it));
    return batches.view(batch, request.shownMax());
  }

  @Override
  ObjectNode remembered(BatchView batch) {
    return JsonNodeFactory.instance
        .objectNode()
        .put(SESSION_ID, batch.sessionId().value())
        .put(BATCH_ID, batch.id())
        .put(SHOWN_MAX, batch.tasks().size());
  }

  /** The batch after the cancel. */
  @Override
  BatchView again(JsonNode remembered) {
    var request =
        new ShowBatch.Request(
            new SessionId(remembered.path(SESSION_ID).stringValue("")),
            remembered.path(BATCH_ID).stringValue(""),
            remembered.path(SHOWN_MAX).intValue());
    return batches.show(request, request.shownMax());
  }
}
