package dev.errand.wire.json;

import dev.errand.core.task.Environment;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** Checks {@code args.secret_env}: the names of those variables whose values are not recorded. */
final class SecretFields {
  private static final String NAME = "secret_env";
  static final RequestField<FieldType.Texts> SECRET_ENV =
      RequestField.of(
          NAME,
          new FieldType.Texts(64),
          "names of those variables of env whose values are recorded nowhere and taken out of the"
              + " output");

  /** A shorter value would be found, and hidden, all over ordinary output. */
  private static final int VALUE_BYTES_MIN = 4;

  /** Each value is looked for in a dozen forms, so that more would take the host's memory. */
  private static final int VALUE_BYTES_MAX = 32 * 1024;

  /** The variables, of which those that are no secrets are looked at one by one. */
  private static final String VARIABLES = "env";

  private static final String ARGS = "args";

  private final RequestFields args;

  SecretFields(RequestFields args) {
    this.args = args;
  }

  /** The secrets of a request, with their values. */
  record Found(Environment values) {
    /** What may be recorded of the variables: the values of the others, and all names. */
    Environment without(Environment variables) {
      var open = new TreeMap<>(variables.values());
      open.keySet().removeAll(values.values().keySet());
      return new Environment(open, values.values().keySet());
    }
  }

  Found read(Environment variables) {
    var names = args.has(NAME) ? args.texts(NAME) : List.<String>of();
    var max = SECRET_ENV.type().countMax();
    if (names.size() > max) {
      throw args.refuse(NAME, "at most " + max + " names");
    }
    var values = new TreeMap<String, String>();
    var bytes = 0;
    for (var i = 0; i < names.size(); i++) {
      var name = names.get(i);
      var value = variables.values().get(name);
      if (value == null) {
        // Not repeated: it may be the value, where a name belongs.
        throw RequestFields.invalid(
            "args.secret_env["
                + i
                + "] is no name of a variable in args.env; it names one, and its value stands"
                + " there");
      }
      var length = value.getBytes(StandardCharsets.UTF_8).length;
      if (length < VALUE_BYTES_MIN) {
        throw RequestFields.invalid(
            "the secret "
                + name
                + " has fewer than "
                + VALUE_BYTES_MIN
                + " bytes, which cannot be told from other text; take it out of args.secret_env");
      }
      bytes += length;
      values.put(name, value);
    }
    if (bytes > VALUE_BYTES_MAX) {
      throw RequestFields.invalid(
          "the secrets take " + bytes + " bytes; at most " + VALUE_BYTES_MAX + " are allowed");
    }
    return new Found(new Environment(values));
  }

  /**
   * What is recorded with the task must not hold it: the task can read its variable instead. Looked
   * at before all else, since a refusal for another reason may repeat what it found.
   */
  static void refuseElsewhere(JsonNode body) {
    var args = body.path(ARGS);
    var names = new HashSet<String>();
    args.path(NAME).forEach(it -> names.add(it.stringValue("")));
    for (var name : names) {
      // Programs strip the end of the line that files of secrets have, so it is not part of one.
      var value = args.path(VARIABLES).path(name).stringValue("");
      var told = value.stripTrailing();
      var secret = told.length() < VALUE_BYTES_MIN ? value : told;
      if (secret.length() >= VALUE_BYTES_MIN
          && (holds(without(body, Set.of(ARGS)), secret)
              || holds(without(args, Set.of(VARIABLES, NAME)), secret)
              || holds(without(args.path(VARIABLES), names), secret))) {
        throw RequestFields.invalid(
            "the value of the secret "
                + name
                + " stands in another field, which is recorded; refer to the variable there, as"
                + " \"$"
                + name
                + "\" in a command line, or mark the other variable as secret too");
      }
    }
  }

  private static Stream<Map.Entry<String, JsonNode>> without(JsonNode node, Set<String> names) {
    return node.properties().stream().filter(it -> !names.contains(it.getKey()));
  }

  /** Whether this text stands anywhere in these fields, at any depth, or in a name. */
  private static boolean holds(Stream<Map.Entry<String, JsonNode>> fields, String text) {
    return fields.anyMatch(it -> it.getKey().contains(text) || holds(it.getValue(), text));
  }

  private static boolean holds(JsonNode value, String text) {
    return value.isContainer()
        ? value.valueStream().anyMatch(it -> holds(it, text))
            || value.propertyNames().stream().anyMatch(it -> it.contains(text))
        : value.isString() && value.stringValue().contains(text);
  }
}
