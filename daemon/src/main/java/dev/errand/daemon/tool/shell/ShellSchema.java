package dev.errand.daemon.tool.shell;

import dev.errand.daemon.tool.Schema;
import dev.errand.wire.json.SpawnFields;
import java.util.List;

/** The arguments of the tool. */
final class ShellSchema {
  /** Those of them that are about a run that is there already. */
  static final List<String> OF_RUNS =
      List.of(
          ShellTool.RUN_ID, ShellTool.SINCE_SEQ, ShellTool.LIMIT, ShellTool.STREAM, ShellTool.KEYS);

  private ShellSchema() {}

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
                "poll, log: items behind this one only: next_seq of the answer before",
                0,
                Long.MAX_VALUE)
            .integer(
                ShellTool.LIMIT,
                "log: at most so many items, but for those of one number, which come together;"
                    + " default 256",
                1,
                Looking.LIMIT_MAX)
            .words(
                ShellTool.STREAM, "log: this stream only", List.of(RunItem.STDOUT, RunItem.STDERR))
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
