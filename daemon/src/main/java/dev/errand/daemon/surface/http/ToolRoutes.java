package dev.errand.daemon.surface.http;

import dev.errand.core.error.ErrandException;
import dev.errand.daemon.tool.CallOptions;
import dev.errand.daemon.tool.Catalogue;
import dev.errand.daemon.tool.Tool;
import dev.errand.daemon.tool.ToolCall;
import dev.errand.daemon.tool.ToolResult;
import dev.errand.daemon.tool.Toolset;
import dev.errand.daemon.verb.Access;
import dev.errand.daemon.verb.Digests;
import dev.errand.daemon.verb.SpawnTask;
import dev.errand.wire.http.Params;
import dev.errand.wire.json.Json;
import dev.errand.wire.json.RequestFields;
import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;
import org.eclipse.jetty.http.HttpStatus;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The catalogue of tools, and calls of them. */
final class ToolRoutes {
  private static final Access COMMON = new Access.Common();
  private static final Access SPAWNS = new Access.Spawns();

  private final Catalogue tools;
  private final SpawnTask spawn;

  ToolRoutes(Catalogue tools, SpawnTask spawn) {
    this.tools = tools;
    this.spawn = spawn;
  }

  List<Route> routes() {
    return List.of(
        Route.of(COMMON, "GET", "/tools", this::list)
            .query(Params.TOOLSET, Params.SET)
            .about("The catalogue of tools, or a set of them such as agent.")
            .givesPage("Tool"),
        Route.of(SPAWNS, "POST", "/tools/{name}", this::call)
            .unread(this::unread)
            .query("session_id", "batch_id", "justification", "cwd", Params.SET)
            .about("Calls a tool; the body is its arguments.")
            .takes("Any")
            .gives(200, "ToolResult"));
  }

  private Reply list(Call call) {
    var toolset = call.query(Params.TOOLSET);
    var set = call.query(Params.SET);
    return Reply.page(
        tools.listed(set == null ? Toolset.ALL : set).stream()
            .filter(it -> toolset == null || toolset.equals(it.path("toolset").stringValue("")))
            .map(Json::bytes)
            .toList());
  }

  private Reply call(Call call) throws IOException, InterruptedException {
    var tool = tools.get(call.id());
    var read = read(call, tool);
    if (tool.onlyReads(read)) {
      call.onlyReads();
    }
    return reply(tool.call(read));
  }

  private ToolCall read(Call call, Tool tool) throws IOException {
    try {
      var options =
          new CallOptions(
              call.query(Params.SESSION_ID),
              call.query(Params.BATCH_ID),
              call.query(Params.JUSTIFICATION),
              folder(call),
              call.query(Params.SET));
      var ask = call.ask(earlierDigest(call, options));
      return tools.call(tool, ask, arguments(call), options);
    } catch (ErrandException e) {
      unread(call, e);
      throw e;
    }
  }

  private static @Nullable String folder(Call call) {
    var folder = call.query(Params.CWD);
    if (folder != null && (!folder.startsWith("/") || folder.indexOf('\0') >= 0)) {
      throw Call.invalid(
          "cwd is the folder that you work in, as an absolute path; or leave it out");
    }
    return folder;
  }

  /** A call that cannot be parsed is a refused task if its tool would have started one. */
  private void unread(Call call, ErrandException refusal) {
    var caller = call.caller();
    tools
        .find(call.id())
        .ifPresent(tool ->
            tool.starts(readable(call))
                .ifPresent(name -> spawn.unread(caller, caller.session(), name, refusal)));
  }

  /** The arguments, or none if they cannot be parsed. */
  private static ObjectNode readable(Call call) {
    try {
      return arguments(call);
    } catch (ErrandException | IOException _) {
      return JsonNodeFactory.instance.objectNode();
    }
  }

  /** The digest under which whole replies were stored: of the body and the options outside it. */
  private static Supplier<String> earlierDigest(Call call, CallOptions options) throws IOException {
    var content = call.body();
    return () -> {
      var body = Digests.hex(content);
      var earlier = options.earlierText();
      return earlier.isEmpty() ? body : Digests.hex(body + earlier);
    };
  }

  private static ObjectNode arguments(Call call) throws IOException {
    var text = call.body();
    if (text.length == 0) {
      return JsonNodeFactory.instance.objectNode();
    }
    if (Json.readRequest(text) instanceof ObjectNode object) {
      return object;
    }
    throw RequestFields.invalid("the body must be a JSON object with the arguments of the tool");
  }

  private static Reply.Whole reply(ToolResult result) {
    var body = JsonNodeFactory.instance.objectNode();
    body.set("structured", result.structured());
    body.put("text", result.text()).put("is_error", result.isError());
    return Reply.json(HttpStatus.OK_200, body);
  }
}
