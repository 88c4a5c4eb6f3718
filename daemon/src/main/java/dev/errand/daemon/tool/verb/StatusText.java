package dev.errand.daemon.tool.verb;

import dev.errand.wire.json.JsonFields;
import dev.errand.wire.json.LeftoverText;
import tools.jackson.databind.JsonNode;

/** A status object in one line. */
final class StatusText {

  private StatusText() {}

  static String of(JsonNode status) {
    var text = new StringBuilder(status.path("task_id").stringValue(""));
    text.append(' ').append(status.path("status").stringValue(""));
    if (status.hasNonNull("exit_code")) {
      text.append(", exit code ").append(status.path("exit_code").longValue());
    }
    if (status.hasNonNull("error")) {
      text.append(", ").append(status.path("error").stringValue(""));
    }
    text.append(": ").append(status.path("command").stringValue(""));
    var left = LeftoverText.of(new JsonFields(status));
    return left.isEmpty() ? text.toString() : text.append("; ").append(left).toString();
  }
}
