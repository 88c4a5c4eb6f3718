package dev.errand.daemon.tool;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.task.SessionId;
import dev.errand.daemon.verb.Ask;
import dev.errand.daemon.verb.Caller;
import dev.errand.wire.json.RequestFields;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** All tools by their names; every door calls them through it. */
public final class Catalogue {
  private static final Set<String> SWITCHED = Set.of(Toolset.TASKS, Toolset.BACKGROUND);

  private final Map<String, Tool> tools = new LinkedHashMap<>();
  private final BooleanSupplier tasksEnabled;

  /** A tool that was asked once what it says of itself, for that is made anew each time. */
  private record Described(Tool tool, ToolInfo info) implements Tool {
    @Override
    public ToolResult call(ToolCall call) throws InterruptedException {
      return tool.call(call);
    }

    @Override
    public Optional<String> starts(ObjectNode arguments) {
      return tool.starts(arguments);
    }

    @Override
    public boolean onlyReads(ToolCall call) {
      return tool.onlyReads(call);
    }
  }

  /** Fails with INVALID_REQUEST where two tools have one name. */
  public Catalogue(List<Tool> all) {
    this.tasksEnabled = () -> true;
    for (var tool : all) {
      var info = tool.info();
      if (tools.putIfAbsent(info.name(), new Described(tool, info)) != null) {
        throw new ErrandException(
            ErrorCode.INVALID_REQUEST,
            "there are two tools " + info.name() + "; give the one in [tools] another name");
      }
    }
  }

  private Catalogue(Map<String, Tool> tools, BooleanSupplier tasksEnabled) {
    this.tools.putAll(tools);
    this.tasksEnabled = tasksEnabled;
  }

  /** The same tools; those that make and manage tasks for agents only while they are enabled. */
  public Catalogue whileEnabled(BooleanSupplier enabled) {
    return new Catalogue(tools, enabled);
  }

  /** The tools that can be called now. */
  public List<Tool> list() {
    return tools.values().stream().filter(it -> !isOff(it)).toList();
  }

  public Optional<Tool> find(String name) {
    return Optional.ofNullable(tools.get(name));
  }

  /** The tool of that name; otherwise the refusal says which there are. */
  public Tool get(String name) {
    var tool = existing(name);
    if (isOff(tool)) {
      throw new ErrandException(
          ErrorCode.FORBIDDEN,
          "tools of the toolset "
              + tool.info().toolset()
              + " are switched off here; a person can set enabled = true in [tasks] of config.toml");
    }
    return tool;
  }

  private boolean isOff(Tool tool) {
    return SWITCHED.contains(tool.info().toolset()) && !tasksEnabled.getAsBoolean();
  }

  private Tool existing(String name) {
    return find(name)
        .orElseThrow(() ->
            new ErrandException(
                ErrorCode.NOT_FOUND,
                "there is no tool of this name; there are: "
                    + String.join(", ", list().stream().map(it -> it.info().name()).toList())));
  }

  /** A call of this tool by this caller, in the session that is meant. */
  public static ToolCall call(Tool tool, Ask ask, ObjectNode given, CallOptions options) {
    var caller = ask.caller();
    if (tool.info().toolset().equals(Toolset.DECLARED)) {
      var session = session(caller, options.sessionId());
      return new ToolCall(ask.within(session), given, options);
    }
    var arguments = given.deepCopy();
    put(tool, arguments, Schema.SESSION_ID, options.sessionId());
    put(tool, arguments, Schema.BATCH_ID, options.batchId());
    put(tool, arguments, Schema.JUSTIFICATION, options.justification());
    var named = takes(tool, Schema.SESSION_ID) && arguments.hasNonNull(Schema.SESSION_ID);
    var text = named ? arguments.path(Schema.SESSION_ID).stringValue("") : null;
    var session = session(caller, text);
    return new ToolCall(ask.within(session), arguments, options.folderOnly());
  }

  private static boolean takes(Tool tool, String name) {
    return tool.info().inputSchema().path("properties").has(name);
  }

  /** What was said beside the arguments counts as one of them. */
  private static void put(Tool tool, ObjectNode arguments, String name, @Nullable String value) {
    if (value == null) {
      return;
    }
    if (!takes(tool, name)) {
      throw RequestFields.invalid(tool.info().name() + " takes no " + name + "; leave it out");
    }
    if (arguments.hasNonNull(name) && !arguments.path(name).stringValue("").equals(value)) {
      throw RequestFields.invalid(name + " is given twice, and not the same; give one of them");
    }
    arguments.put(name, value);
  }

  private static SessionId session(Caller caller, @Nullable String text) {
    if (text == null) {
      return caller.session();
    }
    var session = named(text);
    caller.mustSee(session);
    return session;
  }

  private static SessionId named(String text) {
    try {
      return new SessionId(text);
    } catch (IllegalArgumentException _) {
      throw RequestFields.invalid(
          "session_id is 1 to 64 letters, digits, '.', '_' or '-', beginning with a letter or"
              + " digit");
    }
  }
}
