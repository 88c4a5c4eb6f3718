package dev.errand.daemon.tool;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.task.SessionId;
import dev.errand.daemon.verb.Ask;
import dev.errand.daemon.verb.Caller;
import dev.errand.wire.json.RequestFields;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** All tools by their names; every door calls them through it. */
public final class Catalogue {
  private static final Set<String> SWITCHED = Set.of(Toolset.TASKS, Toolset.BACKGROUND);

  /** The beginning of names as the contract of tool tasks has them, and as they are listed. */
  private static final String DOTTED = "tool.";

  private static final String UNDOTTED = "tool_";

  private final Map<String, Tool> tools = new LinkedHashMap<>();
  private final IntSupplier replyChars;
  private final BooleanSupplier tasksEnabled;

  /** A tool that was asked once what it says of itself, for that is made anew each time. */
  private record Described(Tool tool, ToolInfo info) implements Tool {
    @Override
    public ToolResult call(ToolCall call) throws InterruptedException {
      return tool.call(call).fitted(call.form().charsMax());
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
  public Catalogue(List<Tool> all, IntSupplier replyChars) {
    this.replyChars = replyChars;
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

  private Catalogue(Map<String, Tool> tools, IntSupplier replyChars, BooleanSupplier tasksEnabled) {
    this.tools.putAll(tools);
    this.replyChars = replyChars;
    this.tasksEnabled = tasksEnabled;
  }

  /** The same tools; those that make and manage tasks for agents only while they are enabled. */
  public Catalogue whileEnabled(BooleanSupplier enabled) {
    return new Catalogue(tools, replyChars, enabled);
  }

  /** The tools that can be called now. */
  public List<Tool> list() {
    return tools.values().stream().filter(it -> !isOff(it)).toList();
  }

  /**
   * What is listed of a set: {@code agent}, a group of tools, {@code all}, names of tools, or
   * several of these with commas between them.
   */
  public List<ObjectNode> listed(String set) {
    var names = new LinkedHashSet<String>();
    for (var part : set.split(",", -1)) {
      names.addAll(namesIn(part.strip()));
    }
    var lean = set.equals(Toolset.AGENT);
    return list().stream()
        .map(Tool::info)
        .filter(it -> names.contains(it.name()))
        .map(it -> lean ? it.leanJson() : it.json())
        .toList();
  }

  private List<String> namesIn(String part) {
    if (part.equals(Toolset.AGENT)) {
      return Toolset.OF_AGENT;
    }
    var all = tools.values().stream().map(Tool::info);
    if (part.equals(Toolset.ALL)) {
      return all.map(ToolInfo::name).toList();
    }
    if (Toolset.GROUPS.contains(part)) {
      return all.filter(it -> it.toolset().equals(part)).map(ToolInfo::name).toList();
    }
    return find(part)
        .map(it -> List.of(it.info().name()))
        .orElseThrow(() ->
            RequestFields.invalid(
                "there is no set or tool %s; give agent, all, %s, or names of tools, with commas"
                    .formatted(part, String.join(", ", Toolset.GROUPS))));
  }

  /** The tool of that name, whether it is written with a dot or without. */
  public Optional<Tool> find(String name) {
    var listed = name.startsWith(DOTTED) ? UNDOTTED + name.substring(DOTTED.length()) : name;
    return Optional.ofNullable(tools.get(listed));
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
  public ToolCall call(Tool tool, Ask ask, ObjectNode given, CallOptions options) {
    var caller = ask.caller();
    var form = new ReplyForm(replyChars.getAsInt(), Toolset.AGENT.equals(options.toolSet()));
    if (tool.info().toolset().equals(Toolset.DECLARED)) {
      var session = session(caller, options.sessionId());
      return new ToolCall(ask.within(session), given, options, form);
    }
    var arguments = given.deepCopy();
    form = ReplyForm.of(arguments, form);
    put(tool, arguments, Schema.SESSION_ID, options.sessionId());
    put(tool, arguments, Schema.BATCH_ID, options.batchId());
    put(tool, arguments, Schema.JUSTIFICATION, options.justification());
    var named = takes(tool, Schema.SESSION_ID) && arguments.hasNonNull(Schema.SESSION_ID);
    var text = named ? arguments.path(Schema.SESSION_ID).stringValue("") : null;
    var session = session(caller, text);
    return new ToolCall(ask.within(session), arguments, options.folderOnly(), form);
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
