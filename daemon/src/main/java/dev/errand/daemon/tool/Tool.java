package dev.errand.daemon.tool;

/** Something that an agent can call. */
public interface Tool {

  ToolInfo info();

  /**
   * Answers one call. What cannot be done is an {@code ErrandException}; each door gives it a form.
   */
  ToolResult call(ToolCall call) throws InterruptedException;

  /** Whether this call changes nothing, so that its answer need not be kept for a repeat. */
  default boolean onlyReads(ToolCall call) {
    return info().annotations().readOnly();
  }
}
