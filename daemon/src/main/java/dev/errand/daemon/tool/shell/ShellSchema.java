package dev.errand.daemon.tool.shell;

import dev.errand.daemon.tool.Schema;
import dev.errand.wire.json.RequestFields;
import dev.errand.wire.json.SpawnFields;
import java.util.List;
import java.util.Map;

/** The arguments of the tool. */
final class ShellSchema {
  /** Those of them that are about a run that is there already. */
  static final List<String> OF_RUNS =
      List.of(
          ShellTool.RUN_ID,
          ShellTool.SINCE_SEQ,
          ShellTool.LIMIT,
          ShellTool.STREAM,
          ShellTool.KEYS,
          ShellTool.CURSOR);

  /** Which of them an action takes, beside the run itself. */
  private static final Map<String, List<String>> TAKEN =
      Map.of(
          "poll",
          List.of(ShellTool.SINCE_SEQ, ShellTool.LIMIT, ShellTool.STREAM, ShellTool.WAIT_MS),
          "log",
          List.of(ShellTool.SINCE_SEQ, ShellTool.LIMIT, ShellTool.STREAM, ShellTool.CURSOR),
          "kill",
          List.of(),
          "send_keys",
          List.of(ShellTool.KEYS));

  private ShellSchema() {}

  /** An argument that an action does not take is told, not passed over. */
  static void refuseOthers(RequestFields fields, String action) {
    var taken = TAKEN.getOrDefault(action, List.of());
    for (var name : OF_RUNS) {
      if (fields.has(name) && !taken.contains(name) && !name.equals(ShellTool.RUN_ID)) {
        throw RequestFields.invalid(
            name + " has no meaning with action=" + action + "; leave it out");
      }
    }
    if (fields.has(ShellTool.WAIT_MS) && !taken.contains(ShellTool.WAIT_MS)) {
      throw RequestFields.invalid(
          "wait_ms has no meaning with action=" + action + "; leave it out");
    }
  }

  /** The arguments that are needed most, in few words. */
  static Schema lean(List<String> actions) {
    return Schema.object()
        .words(ShellTool.ACTION, "without it the command is run and waited for", actions)
        .brief("command", "string", "the command line")
        .brief("cwd", "string", "folder; default: that of the session")
        .brief("timeout_secs", "number", "end it after that; default: none")
        .brief("pty", "boolean", "give it a terminal")
        .brief("lane", "string", "spawn: queue of its own; empty: none")
        .brief("service", "boolean", "spawn: a server; others do not wait for it")
        .brief("ready_when", "object", "{\"port\": N} or {\"regex\": RE2}")
        .brief("watch", "array", "[{\"event\": NAME, \"regex\": RE2}]: hits are told")
        .brief(ShellTool.RUN_ID, "string", "poll, log, kill, send_keys: which run")
        .brief(ShellTool.SINCE_SEQ, "integer", "poll, log: what follows that item")
        .brief(ShellTool.WAIT_MS, "integer", "poll: wait for something new; spawn: for the end")
        .brief(ShellTool.CURSOR, "string", "log: exact output from there on")
        .brief(ShellTool.KEYS, "array", "send_keys: Enter, C-c, Up, or text");
  }

  static Schema arguments(List<String> actions) {
    var own =
        Schema.object()
            .words(
                ShellTool.ACTION,
                "what to do; without it the command is run and waited for",
                actions)
            .text("command", "the command line; for action=spawn and without an action")
            .bool(
                "background",
                "action=spawn: false waits for the end, as long as a call may; default true")
            .bool(
                "pty", "give it a terminal, so that interactive programs work and keys can be sent")
            .timeout("kill it after so many seconds", 0)
            .field(
                SpawnFields.FORM.field("max_output_bytes"),
                "show so many bytes of its output, both streams together; default 1 MiB")
            .text(ShellTool.RUN_ID, "the run, for poll, log, kill and send_keys")
            .integer(
                ShellTool.SINCE_SEQ,
                "poll, log: only items after this one: next_seq of an earlier answer; without it the"
                    + " end of the output is shown",
                0,
                Long.MAX_VALUE)
            .text(
                ShellTool.CURSOR,
                "log: the exact output from there on, as an answer names it; 0 is the start")
            .integer(
                ShellTool.WAIT_MS,
                "poll: wait so long for something new; spawn: for its end, at most 60000; default: 0",
                0,
                Looking.WAIT_MS_MAX)
            .integer(
                ShellTool.LIMIT,
                "poll, log: at most so many items, but those of one number come together; default 256",
                1,
                Looking.LIMIT_MAX)
            .words(
                ShellTool.STREAM,
                "poll, log: items of this stream only",
                List.of(RunItem.STDOUT, RunItem.STDERR))
            .text(Schema.SESSION_ID, "the session that it belongs to; default: your own")
            .texts(
                ShellTool.KEYS,
                "send_keys: names of keys such as Enter, C-c, Up, Escape; what is no name is typed as"
                    + " text")
            .text("cwd", "the folder to run in; default: that of the session, else your home")
            .field(SpawnFields.FORM.field("label"))
            .text(
                "lane",
                "action=spawn: the queue to run in, one at a time; default: shell; empty: none")
            .field(SpawnFields.FORM.field("service"))
            .field(SpawnFields.FORM.field("batch_id"))
            .field(SpawnFields.FORM.field("justification"))
            .bool(
                "approved",
                "taken and without effect: the policy decides, and only a person approves what it"
                    + " asks about");
    return own.fields(SpawnFields.ATTENTION);
  }
}
