package dev.errand.wire.json;

import dev.errand.core.task.Environment;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.TreeMap;

/** Checks {@code args.secret_env}: the names of those variables whose values are not recorded. */
final class SecretFields {
  private static final String NAME = "secret_env";
  private static final int COUNT_MAX = 64;

  /** A shorter value would be found, and hidden, all over ordinary output. */
  private static final int VALUE_BYTES_MIN = 4;

  /** Each value is looked for in a dozen forms, so that more would take the host's memory. */
  private static final int VALUE_BYTES_MAX = 32 * 1024;

  /** The variables, of which those that are no secrets are looked at one by one. */
  private static final String VARIABLES = "env";

  private final RequestFields body;
  private final RequestFields args;

  SecretFields(RequestFields body, RequestFields args) {
    this.body = body;
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
    if (names.size() > COUNT_MAX) {
      throw args.refuse(NAME, "at most " + COUNT_MAX + " names");
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
    var found = new Found(new Environment(values));
    values.forEach((name, value) -> refuseElsewhere(name, value, found.without(variables)));
    return found;
  }

  /** What is recorded with the task must not hold it: the task can read its variable instead. */
  private void refuseElsewhere(String name, String value, Environment open) {
    // Programs strip the end of the line that files of secrets have, so it is not part of one.
    var told = value.stripTrailing();
    var secret = told.length() < VALUE_BYTES_MIN ? value : told;
    if (open.values().values().stream().anyMatch(it -> it.contains(secret))
        || args.holds(secret, List.of(VARIABLES, NAME))
        || body.holds(secret, List.of("args"))) {
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
