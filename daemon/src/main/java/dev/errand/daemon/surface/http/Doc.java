package dev.errand.daemon.surface.http;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The description of a route: a sentence, and the schemas of its body and its answers, by their
 * names in {@code components.json}.
 */
record Doc(String summary, @Nullable String body, List<Given> answers) {
  static final Doc NONE = new Doc("", null, List.of());

  Doc {
    answers = List.copyOf(answers);
  }

  /** A successful answer; for a page the schema describes an item of the array. */
  record Given(int status, String type, @Nullable String schema, boolean page) {}

  Doc about(String sentence) {
    return new Doc(sentence, body, answers);
  }

  Doc takes(String schema) {
    return new Doc(summary, schema, answers);
  }

  Doc gives(Given answer) {
    var more = new ArrayList<>(answers);
    more.add(answer);
    return new Doc(summary, body, more);
  }
}
