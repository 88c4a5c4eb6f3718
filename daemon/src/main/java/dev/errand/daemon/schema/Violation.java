package dev.errand.daemon.schema;

import com.networknt.schema.Error;
import com.networknt.schema.path.NodePath;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/**
 * A rule that is broken.
 *
 * @param place the names and indexes that lead to the wrong value
 * @param before what stands before its name in a sentence
 * @param after what stands behind it
 */
record Violation(List<Object> place, String before, String after) {
  private static final int SHOWN_CHARS_MAX = 300;

  Violation {
    place = List.copyOf(place);
  }

  private Violation(List<Object> place, String after) {
    this(place, "", after);
  }

  /** The first of these. */
  static Violation first(List<Error> errors, JsonNode schema) {
    var error = errors.getFirst();
    var rules = elements(error.getEvaluationPath());
    var choice = rules.indexOf("anyOf");
    if (choice >= 0 && choice < rules.size() - 1 && rules.get(choice + 1) instanceof Integer) {
      return ofChoice(errors, rules.subList(0, choice + 1), schema);
    }
    var place = elements(error.getInstanceLocation());
    var name = error.getProperty();
    var expected = error.getSchemaNode();
    return switch (error.getKeyword()) {
      case "required" -> new Violation(with(place, name), " is missing");
      case "type" -> new Violation(place, " must be of the type " + shown(expected));
      case "enum" -> new Violation(place, " must be one of " + shown(expected));
      case "additionalProperties", "unevaluatedProperties" ->
          name == null
              ? broken(place, error.getKeyword(), expected)
              : unknown(with(place, name), at(schema, rules.subList(0, rules.size() - 1)));
      case "false" -> new Violation(place, " is not allowed");
      default -> broken(place, error.getKeyword(), expected);
    };
  }

  private static Violation unknown(List<Object> place, JsonNode around) {
    var known = String.join(", ", around.path("properties").propertyNames());
    return new Violation(place, "there is no ", "; known are " + known);
  }

  /** The library tells what is wrong with each schema of the choice; which was meant is unknown. */
  private static Violation ofChoice(List<Error> errors, List<Object> rules, JsonNode schema) {
    var place = elements(errors.getFirst().getInstanceLocation());
    for (var error : errors) {
      if (startsWith(elements(error.getEvaluationPath()), rules)) {
        place = common(place, elements(error.getInstanceLocation()));
      }
    }
    return broken(place, "anyOf", at(schema, rules));
  }

  private static Violation broken(List<Object> place, String rule, JsonNode expected) {
    return new Violation(place, " breaks the rule \"" + rule + "\": " + shown(expected));
  }

  /** The sentence, for a value of that name. */
  String sentence(String name) {
    return before + name + path(place) + after;
  }

  /** The names of the place, without indexes. */
  List<String> names() {
    return place.stream().filter(String.class::isInstance).map(String.class::cast).toList();
  }

  private static String path(List<Object> place) {
    return place.stream()
        .map(it -> it instanceof Integer ? "[" + it + "]" : "." + it)
        .collect(Collectors.joining());
  }

  /** The part of the schema that these rules lead to. */
  private static JsonNode at(JsonNode schema, List<Object> rules) {
    var node = schema;
    for (var rule : rules) {
      node = rule instanceof Integer index ? node.path(index) : node.path(rule.toString());
      var to = rule.equals("$ref") ? node.stringValue("") : "";
      if (to.equals("#")) {
        node = schema;
      } else if (to.startsWith("#/")) {
        node = schema.at(to.substring(1));
      }
    }
    return node;
  }

  private static List<Object> elements(NodePath path) {
    var elements = new ArrayList<>();
    for (var i = 0; i < path.getNameCount(); i++) {
      elements.add(path.getElement(i));
    }
    return elements;
  }

  private static List<Object> with(List<Object> place, String name) {
    var all = new ArrayList<>(place);
    all.add(name);
    return all;
  }

  private static boolean startsWith(List<Object> path, List<Object> begin) {
    return path.size() >= begin.size() && path.subList(0, begin.size()).equals(begin);
  }

  private static List<Object> common(List<Object> one, List<Object> other) {
    var same = 0;
    while (same < Math.min(one.size(), other.size()) && one.get(same).equals(other.get(same))) {
      same++;
    }
    return one.subList(0, same);
  }

  private static String shown(JsonNode expected) {
    var text = expected instanceof MissingNode ? "" : expected.toString();
    return text.length() <= SHOWN_CHARS_MAX ? text : text.substring(0, SHOWN_CHARS_MAX) + "…";
  }
}
