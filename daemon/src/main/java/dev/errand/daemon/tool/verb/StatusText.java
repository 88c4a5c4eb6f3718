package dev.errand.daemon.tool.verb;

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
    return text.append(": ").append(status.path("command").stringValue("")).toString();
  }
}
