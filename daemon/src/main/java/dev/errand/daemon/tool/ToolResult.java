package dev.errand.daemon.tool;

import dev.errand.daemon.output.PlainText;
import tools.jackson.databind.node.ObjectNode;

/**
 * The answer of a tool: for programs, and in a few words for whoever reads it. The text holds no
 * control characters but new lines and tabs.
 *
 * @param isError whether what was asked for went wrong, though the call itself did not
 */
public record ToolResult(ObjectNode structured, String text, boolean isError) {

  public ToolResult {
    text = PlainText.of(text);
  }

  /** The same within a budget; what is too long keeps its head and its tail. */
  ToolResult fitted(int charsMax) {
    var readOn = "ask for less, or give max_chars, at most " + ReplyForm.CHARS_MAX;
    ReplyJson.fit(structured, charsMax);
    var fitted = ReplyText.fit(text, charsMax, readOn);
    return fitted.equals(text) ? this : new ToolResult(structured, fitted, isError);
  }

  /** The same with a remark, if there is one. */
  public ToolResult noting(String note) {
    if (note.isEmpty()) {
      return this;
    }
    var between = text.isEmpty() || text.endsWith("\n") ? "" : "\n";
    return new ToolResult(
        structured.deepCopy().put("cwd_note", note), text + between + note, isError);
  }

  public static ToolResult of(ObjectNode structured, String text) {
    return new ToolResult(structured, text, false);
  }
}
