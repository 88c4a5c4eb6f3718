package dev.errand.daemon.tool.shell;

import dev.errand.daemon.tool.Annotations;
import dev.errand.daemon.tool.Schema;
import dev.errand.daemon.tool.Tool;
import dev.errand.daemon.tool.ToolCall;
import dev.errand.daemon.tool.ToolInfo;
import dev.errand.daemon.tool.ToolResult;
import dev.errand.daemon.tool.Toolset;
import dev.errand.wire.json.RequestFields;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/**
 * {@code shell}: runs a command and waits for it, or, by {@code action}, starts runs in the
 * background and looks after them.
 */
final class ShellTool implements Tool {
  static final String ACTION = "action";
  static final String RUN_ID = "run_id";
  static final String SINCE_SEQ = "since_seq";
  static final String LIMIT = "limit";
  static final String STREAM = "stream";
  static final String KEYS = "keys";
  static final String CURSOR = "cursor";
  static final String WAIT_MS = "wait_ms";

  private static final String SPAWN = "spawn";
  private static final String POLL = "poll";
  private static final String LOG = "log";
  private static final String KILL = "kill";
  private static final String SEND_KEYS = "send_keys";
  private static final List<String> ACTIONS = List.of(SPAWN, POLL, LOG, KILL, SEND_KEYS);

  private static final Schema ARGUMENTS = ShellSchema.arguments(ACTIONS);

  private final Launching launching;
  private final Looking looking;
  private final Handling handling;

  ShellTool(Launching launching, Looking looking, Handling handling) {
    this.launching = launching;
    this.looking = looking;
    this.handling = handling;
  }

  @Override
  public ToolInfo info() {
    return new ToolInfo(
        "shell",
        Toolset.SHELL,
        "Run a command",
        """
        Without action: run a command line and wait for its end; one that takes long is left running in \
        the background and can be polled. action=spawn starts a run in the background and returns its \
        run_id; poll says how it stands and what is new; log shows its output; kill ends it; send_keys \
        types at a run with a terminal. Spawned runs of a session go one after the other, unless lane or \
        service says otherwise. Give the next_seq of an answer as since_seq of the next call.\
        """,
        ARGUMENTS.json(),
        ShellSchema.lean(ACTIONS).json(),
        Annotations.RUNS);
  }

  @Override
  public boolean onlyReads(ToolCall call) {
    var action = call.arguments().path(ACTION).stringValue("");
    return action.equals(POLL) || action.equals(LOG);
  }

  @Override
  public Optional<String> starts(ObjectNode arguments) {
    return startsRun(arguments) ? Optional.of(Launching.TOOL) : Optional.empty();
  }

  private static boolean startsRun(ObjectNode arguments) {
    return !arguments.hasNonNull(ACTION) || arguments.path(ACTION).stringValue("").equals(SPAWN);
  }

  @Override
  public ToolResult call(ToolCall call) throws InterruptedException {
    var action = call.arguments().path(ACTION).stringValue("");
    if (!call.arguments().hasNonNull(ACTION)) {
      return launching.once(call, newRun(call, "without an action"));
    }
    if (action.equals(SPAWN)) {
      return launching.spawn(call, newRun(call, "of action=spawn"));
    }
    var fields = call.fields(ARGUMENTS.names());
    fields.word(ACTION, ACTIONS);
    ShellSchema.refuseOthers(fields, action);
    return switch (action) {
      case POLL -> looking.poll(call, fields);
      case LOG -> looking.log(call, fields);
      case KILL -> handling.kill(call, fields);
      default -> handling.sendKeys(call, fields);
    };
  }

  /** The arguments of a call that starts a run; one that would be passed over is told, not lost. */
  private RequestFields newRun(ToolCall call, String where) {
    return launching.wanted(
        call,
        () -> {
          var fields = call.fields(ARGUMENTS.names());
          for (var name : ShellSchema.OF_RUNS) {
            if (fields.has(name)) {
              throw RequestFields.invalid(name + " has no meaning " + where + "; leave it out");
            }
          }
          return fields;
        });
  }
}
