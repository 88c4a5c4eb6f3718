package dev.errand.daemon.tool;

import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/** Something that an agent can call. */
public interface Tool {

  ToolInfo info();

  /**
   * Answers one call. What cannot be done is an {@code ErrandException}; each door gives it a form.
   */
  ToolResult call(ToolCall call) throws InterruptedException;

  /** The name under which a task would have been started by a call with these arguments, if any. */
  default Optional<String> starts(ObjectNode arguments) {
    return Optional.empty();
  }

  /** Whether this call changes nothing, so that its answer need not be kept for a repeat. */
  default boolean onlyReads(ToolCall call) {
    return info().annotations().readOnly();
  }
}
