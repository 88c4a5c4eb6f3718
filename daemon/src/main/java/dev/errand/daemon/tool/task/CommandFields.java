package dev.errand.daemon.tool.task;

import dev.errand.daemon.tool.Schema;
import dev.errand.daemon.tool.SpawnFields;
import dev.errand.daemon.tool.ToolCall;
import dev.errand.wire.json.RequestFields;
import java.util.List;
import java.util.stream.Stream;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** What tools that start a command take, and the request for a task that they make of it. */
public final class CommandFields {
  public static final String COMMAND = "command";

  /** Who runs it. */
  public static final String TOOL = "bash";

  /** What a command may be given beside its own words, as in every other spawn. */
  private static final List<String> IN_BODY =
      List.of(
          "label",
          "timeout_secs",
          "notify",
          "justification",
          "batch_id",
          "lane",
          "priority",
          "after",
          "after_any",
          "delay_ms",
          "service",
          "watch",
          "ready_when");

  private static final List<String> IN_ARGS = List.of(COMMAND, "cwd", "env");
  private static final int TITLE_CHARS_MAX = 200;

  private CommandFields() {}

  public static Schema arguments(Schema schema) {
    var command =
        schema
            .text(COMMAND, "the command line, run by bash")
            .text("cwd", "the folder to run in; default: the home folder")
            .anyObject("env", "variables beside the daemon's own, as strings")
            .text("label", "a name by which it can be found again")
            .timeout("integer", "end it after so many seconds", 1)
            .text("justification", "why it should run, where the policy asks for it");
    return SpawnFields.attended(SpawnFields.planned(command)).session();
  }

  /** The request for what these arguments ask for; {@code title} says in a line what it is. */
  public static ObjectNode body(ToolCall call, RequestFields fields, String title) {
    var body = JsonNodeFactory.instance.objectNode().put("tool", TOOL);
    var args = body.putObject("args");
    Stream.of(IN_ARGS, IN_BODY)
        .flatMap(List::stream)
        .filter(fields::has)
        .forEach(it -> (IN_ARGS.contains(it) ? args : body).set(it, fields.raw(it).deepCopy()));
    if (!title.isBlank()) {
      body.put("title", title.length() <= TITLE_CHARS_MAX ? title : cut(title));
    }
    return body.put(Schema.SESSION_ID, call.session().value());
  }

  private static String cut(String title) {
    var end = TITLE_CHARS_MAX - 1;
    return title.substring(0, Character.isHighSurrogate(title.charAt(end - 1)) ? end - 1 : end)
        + "…";
  }
}
