package dev.errand.daemon.tool.task;

import dev.errand.daemon.tool.Schema;
import dev.errand.daemon.tool.ToolCall;
import dev.errand.wire.json.RequestField;
import dev.errand.wire.json.RequestFields;
import dev.errand.wire.json.SpawnFields;
import java.util.List;
import java.util.stream.Stream;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** What tools that start a command take, and the request for a task that they make of it. */
public final class CommandFields {
  public static final String COMMAND = "command";

  /** Who runs it. */
  public static final String TOOL = "bash";

  private static final RequestField<?> LINE = SpawnFields.ARGS.field(COMMAND);
  private static final List<RequestField<?>> IN_ARGS =
      List.of(LINE, SpawnFields.ARGS.field("cwd"), SpawnFields.ARGS.field("env"));

  /** What a command may be given beside its own words, as in every other spawn. */
  private static final List<RequestField<?>> IN_BODY =
      Stream.of(
              List.of(
                  SpawnFields.FORM.field("label"),
                  SpawnFields.FORM.field("timeout_secs"),
                  SpawnFields.FORM.field("stdin"),
                  SpawnFields.FORM.field("justification")),
              SpawnFields.PLAN,
              SpawnFields.ATTENTION)
          .<RequestField<?>>flatMap(List::stream)
          .toList();

  private static final String PTY = "pty";
  private static final int TITLE_CHARS_MAX = 200;

  private CommandFields() {}

  public static Schema arguments(Schema schema) {
    return schema
        .field(LINE, "the command line, run by bash")
        .fields(IN_ARGS.subList(1, IN_ARGS.size()))
        .bool(PTY, "give it a terminal, at which task_send can type")
        .fields(IN_BODY)
        .integer(
            SpawnWait.WAIT_MS,
            "wait so long for its end or its first output; default: 0",
            0,
            SpawnWait.WAIT_MS_MAX)
        .maxChars()
        .session();
  }

  /** Those of them that agents need most, in few words. */
  public static Schema lean(Schema schema) {
    return schema
        .brief(COMMAND, "string", "the command line, for bash")
        .brief("cwd", "string", "folder; default: that of the session")
        .brief("label", "string", "name to find it by")
        .brief("timeout_secs", "number", "default: none")
        .brief(PTY, "boolean", "terminal, for programs that ask or redraw")
        .brief("stdin", "boolean", "keep input open for task_send")
        .brief("service", "boolean", "a server: frees its place once it runs")
        .brief("ready_when", "object", "{\"port\": N} or {\"regex\": RE2}")
        .brief("watch", "array", "[{\"event\": NAME, \"regex\": RE2}]: hits are told")
        .brief(SpawnWait.WAIT_MS, "integer", "wait for its end or prompt; default 5000");
  }

  /** The request for what these arguments ask for; {@code title} says in a line what it is. */
  public static ObjectNode body(ToolCall call, RequestFields fields, String title) {
    var body = JsonNodeFactory.instance.objectNode().put("tool", TOOL);
    var args = body.putObject("args");
    copy(IN_ARGS, fields, args);
    copy(IN_BODY, fields, body);
    if (fields.bool(PTY, false)) {
      body.put("execution_mode", "pty");
    }
    if (!title.isBlank()) {
      body.put("title", title.length() <= TITLE_CHARS_MAX ? title : cut(title));
    }
    return body.put(Schema.SESSION_ID, call.session().value());
  }

  /** Whether the caller is told of the end. */
  public static boolean tells(ObjectNode body) {
    var notify = body.path("notify");
    return !notify.stringValue("").equals("silent") && notify.booleanValue(true);
  }

  private static void copy(List<RequestField<?>> wanted, RequestFields from, ObjectNode into) {
    wanted.stream()
        .map(RequestField::name)
        .filter(from::has)
        .forEach(it -> into.set(it, from.raw(it).deepCopy()));
  }

  private static String cut(String title) {
    var end = TITLE_CHARS_MAX - 1;
    return title.substring(0, Character.isHighSurrogate(title.charAt(end - 1)) ? end - 1 : end)
        + "…";
  }
}
