package dev.errand.daemon.tool;

import dev.errand.wire.json.Json;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The room that is left in an answer with a list; what does not fit is left out and counted. */
public final class ReplyRoom {
  private int chars;
  private int texts;

  public ReplyRoom(ReplyForm form) {
    this.chars = form.outputChars();
    this.texts = form.outputChars();
  }

  /** Adds an item to both forms of the list; false where one of them has no room for it. */
  public boolean add(ArrayNode items, ObjectNode item, List<String> lines, String line) {
    var charsOfItem = Json.text(item).length() + 1;
    var charsOfLine = line.length() + 1;
    var first = items.isEmpty();
    if (!first && (charsOfItem > chars || charsOfLine > texts)) {
      return false;
    }
    chars -= charsOfItem;
    texts -= charsOfLine;
    items.add(item);
    lines.add(line);
    return true;
  }
}
