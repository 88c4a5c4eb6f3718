package dev.errand.daemon.tool;

import dev.errand.core.task.SessionId;
import dev.errand.daemon.verb.Ask;
import dev.errand.daemon.verb.Caller;
import dev.errand.wire.json.RequestFields;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/**
 * One call of a tool.
 *
 * @param ask kept to the session that is meant: that of the argument {@code session_id} where there
 *     is one and the caller may see it, else the caller's own
 * @param options what was said of a declared tool, and the folder of the caller; all other tools
 *     have the rest among their arguments
 * @param form how the answer is to be given
 */
public record ToolCall(Ask ask, ObjectNode arguments, CallOptions options, ReplyForm form) {

  public SessionId session() {
    return ask.session();
  }

  public Caller caller() {
    return ask.caller();
  }

  /** The arguments, which have none but these. */
  public RequestFields fields(List<String> known) {
    return RequestFields.of(arguments, known);
  }

  /** Arguments may hold what is typed at a terminal. */
  @Override
  public String toString() {
    return "ToolCall[" + caller().principal() + ", " + session().value() + "]";
  }
}
