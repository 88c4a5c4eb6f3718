package dev.errand.daemon.tool;

import dev.errand.wire.json.Json;
import java.util.ArrayList;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Keeps a structured answer within a budget: no nulls, no empty lists, nothing that is too long.
 */
final class ReplyJson {
  /** A text is not cut below this. */
  private static final int TEXT_CHARS_MIN = 200;

  private static final int ROUNDS_MAX = 1_000;
  private static final int ESCAPED_CHARS_MAX = 6;

  /** What stands around a text, a name or a list, and between two of them. */
  private static final int BORDERS = 4;

  private static final int NUMBER_CHARS_MAX = 32;

  private ReplyJson() {}

  /** Takes out of an answer what says nothing, and cuts it to so many characters. */
  static void fit(ObjectNode answer, int charsMax) {
    prune(answer);
    if (charsAtMost(answer) <= charsMax) {
      return;
    }
    for (var round = 0; round < ROUNDS_MAX; round++) {
      var excess = Json.text(answer).length() - charsMax;
      if (excess <= 0 || !shorten(answer, excess)) {
        return;
      }
      answer.put("cut", true);
    }
  }

  /** An upper bound, which is found without writing it: most answers are far below their budget. */
  private static long charsAtMost(JsonNode node) {
    if (node.isString()) {
      return BORDERS + (long) ESCAPED_CHARS_MAX * node.stringValue().length();
    }
    if (!node.isContainer()) {
      return node.isPojo() ? Integer.MAX_VALUE : NUMBER_CHARS_MAX;
    }
    var chars = (long) BORDERS;
    for (var name : node.propertyNames()) {
      chars += BORDERS + name.length();
    }
    for (var inner : node) {
      chars += BORDERS + charsAtMost(inner);
    }
    return chars;
  }

  private static void prune(JsonNode node) {
    node.forEach(ReplyJson::prune);
    if (node instanceof ObjectNode object) {
      var empty = new ArrayList<String>();
      for (var field : object.properties()) {
        var value = field.getValue();
        if (value.isNull() || (value.isContainer() && value.isEmpty())) {
          empty.add(field.getKey());
        }
      }
      object.remove(empty);
    }
  }

  /** A text in an object, under its name. */
  private record Place(ObjectNode parent, String name, String text) {}

  /** Cuts the longest text, or else leaves out the last part of the longest list. */
  private static boolean shorten(ObjectNode answer, int excess) {
    var longest = longestText(answer, null);
    if (longest != null && longest.text().length() > TEXT_CHARS_MIN) {
      var text = longest.text();
      // An escaped character takes up to six in JSON, so a cut may take several rounds.
      var room = Math.max(TEXT_CHARS_MIN, text.length() - Math.max(excess, text.length() / 16));
      longest.parent().put(longest.name(), ends(text, Math.min(room, text.length() - 1)));
      return true;
    }
    var list = longestList(answer, null);
    if (list == null || list.size() < 2) {
      return false;
    }
    var kept = list.size() - Math.max(1, list.size() / 8);
    while (list.size() > kept) {
      list.remove(list.size() - 1);
    }
    return true;
  }

  private static String ends(String text, int room) {
    var half = (room - 1) / 2;
    var head = ReplyText.headEnd(text, half);
    var tail = ReplyText.tailStart(text, text.length() - half);
    return text.substring(0, head) + "…" + text.substring(tail);
  }

  private static @Nullable Place longestText(ObjectNode node, @Nullable Place best) {
    var found = best;
    for (var field : node.properties()) {
      var value = field.getValue();
      if (value.isString()
          && (found == null || value.stringValue().length() > found.text().length())) {
        found = new Place(node, field.getKey(), value.stringValue());
      } else if (value instanceof ObjectNode inner) {
        found = longestText(inner, found);
      } else if (value instanceof ArrayNode list) {
        for (var item : list) {
          found = item instanceof ObjectNode inner ? longestText(inner, found) : found;
        }
      }
    }
    return found;
  }

  private static @Nullable ArrayNode longestList(JsonNode node, @Nullable ArrayNode best) {
    var found = best;
    if (node instanceof ArrayNode list && (found == null || list.size() > found.size())) {
      found = list;
    }
    for (var inner : node) {
      found = longestList(inner, found);
    }
    return found;
  }
}
