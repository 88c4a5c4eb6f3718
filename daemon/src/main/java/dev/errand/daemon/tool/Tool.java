package dev.errand.daemon.tool;

import dev.errand.core.task.SessionId;
import org.jspecify.annotations.Nullable;

/** Something that an agent can call. */
public interface Tool {

  ToolInfo info();

  /**
   * Answers one call. What cannot be done is an {@code ErrandException}; each door gives it a form.
   */
  ToolResult call(ToolCall call) throws InterruptedException;

  /** The session of callers that name none, unless they are kept to one; null: their own. */
  default @Nullable SessionId usualSession() {
    return null;
  }

  /** Whether this call changes nothing, so that its answer need not be kept for a repeat. */
  default boolean onlyReads(ToolCall call) {
    return info().annotations().readOnly();
  }
}
