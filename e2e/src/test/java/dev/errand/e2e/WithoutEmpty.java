package dev.errand.e2e;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** JSON as tools answer it: without nulls, empty lists and empty objects. */
final class WithoutEmpty {

  private WithoutEmpty() {}

  static JsonNode of(JsonNode node) {
    var copy = node.deepCopy();
    prune(copy);
    return copy;
  }

  private static void prune(JsonNode node) {
    node.forEach(WithoutEmpty::prune);
    if (node instanceof ObjectNode object) {
      object.removeIf(it -> it.isNull() || (it.isContainer() && it.isEmpty()));
    }
  }
}
