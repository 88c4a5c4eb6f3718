package dev.errand.wire.json;

import dev.errand.core.task.Environment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Checks {@code args.secret_env}: the names of those variables whose values are not recorded. */
final class SecretFields {
  private static final String NAME = "secret_env";
  private static final int COUNT_MAX = 64;

  /** A shorter value would be found, and hidden, all over ordinary output. */
  private static final int VALUE_BYTES_MIN = 4;

  /** Each value is looked for in a dozen forms, so that more would take the host's memory. */
  private static final int VALUE_BYTES_MAX = 32 * 1024;

  private static final List<String> RECORDED =
      List.of("title", "label", "session_id", "origin_session_id", "justification");

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
    for (var name : names) {
      var value = variables.values().get(name);
      if (value == null) {
        throw RequestFields.invalid(
            "args.secret_env names " + name + ", which is not in args.env; give its value there");
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
    for (var text : recorded(open)) {
      if (text.contains(value)) {
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

  private List<String> recorded(Environment open) {
    var texts = new ArrayList<>(open.values().values());
    for (var field : List.of("command", "cwd")) {
      add(texts, args.text(field, Integer.MAX_VALUE));
    }
    if (args.has("argv")) {
      texts.addAll(args.texts("argv"));
    }
    RECORDED.forEach(it -> add(texts, body.text(it, Integer.MAX_VALUE)));
    return texts;
  }

  private static void add(List<String> texts, @Nullable String text) {
    if (text != null) {
      texts.add(text);
    }
  }
}
