package dev.errand.daemon.surface.http;

import dev.errand.core.engine.Guard;
import dev.errand.core.engine.Snapshot;
import dev.errand.core.error.ErrandException;
import dev.errand.core.task.TaskId;
import dev.errand.daemon.task.ResultReads;
import dev.errand.daemon.task.Spawns;
import dev.errand.daemon.tool.CallChannel;
import dev.errand.daemon.tool.CallOptions;
import dev.errand.daemon.tool.Catalogue;
import dev.errand.daemon.tool.Tool;
import dev.errand.daemon.tool.ToolCall;
import dev.errand.daemon.tool.ToolResult;
import dev.errand.daemon.verb.Digests;
import dev.errand.daemon.verb.KeyedCall;
import dev.errand.daemon.verb.WaitSlots;
import dev.errand.wire.http.Params;
import dev.errand.wire.json.Json;
import dev.errand.wire.json.RequestFields;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;
import org.eclipse.jetty.http.HttpStatus;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The catalogue of tools, and calls of them. */
final class ToolRoutes {
  private final Catalogue tools;
  private final Spawns spawns;
  private final KeyedRoutes keyed;
  private final WaitSlots slots;

  ToolRoutes(Catalogue tools, Spawns spawns, KeyedRoutes keyed, WaitSlots slots) {
    this.tools = tools;
    this.spawns = spawns;
    this.keyed = keyed;
    this.slots = slots;
  }

  Reply list(Call call) {
    var toolset = call.query(Params.TOOLSET);
    return Reply.page(
        tools.list().stream()
            .map(it -> it.info())
            .filter(it -> toolset == null || toolset.equals(it.toolset()))
            .map(it -> Json.bytes(it.json()))
            .toList());
  }

  Reply call(Call call) throws IOException, InterruptedException {
    var tool = tools.get(call.id());
    var options =
        new CallOptions(
            call.query(Params.SESSION_ID),
            call.query(Params.BATCH_ID),
            call.query(Params.JUSTIFICATION));
    var reading = read(call, tool, options);
    if (tool.onlyReads(reading)) {
      call.onlyReads();
      return reply(tool.call(reading));
    }
    return keyed.once(
        call,
        digest(call, options),
        guarded -> {
          var channel = new KeyedChannel(call, guarded);
          return reply(tool.call(reading.through(channel)));
        });
  }

  private ToolCall read(Call call, Tool tool, CallOptions options) throws IOException {
    var channel = new KeyedChannel(call, KeyedCall.unkeyed(KeyedRoutes.FORM));
    try {
      return Catalogue.call(tool, call.caller(), arguments(call), options, channel);
    } catch (ErrandException e) {
      unread(call, e);
      throw e;
    }
  }

  /** A call that cannot be read is a refused task where it would have started one. */
  void unread(Call call, ErrandException refusal) {
    var caller = call.caller();
    tools
        .find(call.id())
        .ifPresent(tool ->
            tool.starts(readable(call))
                .ifPresent(name ->
                    spawns.rejected(caller.sessionOr(tool.usualSession()), name, refusal, caller)));
  }

  /** The arguments, or none where they cannot be read. */
  private static ObjectNode readable(Call call) {
    try {
      return arguments(call);
    } catch (ErrandException | IOException _) {
      return JsonNodeFactory.instance.objectNode();
    }
  }

  /** A repeat says the same in its body and beside it. */
  private static String digest(Call call, CallOptions options) throws IOException {
    var body = Digests.hex(call.body());
    return options.equals(CallOptions.NOTHING)
        ? body
        : Digests.hex((body + options).getBytes(StandardCharsets.UTF_8));
  }

  private static ObjectNode arguments(Call call) throws IOException {
    var text = call.body();
    if (text.length == 0) {
      return JsonNodeFactory.instance.objectNode();
    }
    if (Json.readRequest(text) instanceof ObjectNode object) {
      return object;
    }
    throw RequestFields.invalid("the body is a JSON object: the arguments of the tool");
  }

  private static Reply.Whole reply(ToolResult result) {
    var body = JsonNodeFactory.instance.objectNode();
    body.set("structured", result.structured());
    body.put("text", result.text()).put("is_error", result.isError());
    return Reply.json(HttpStatus.OK_200, body);
  }

  /** A request that may be repeated, as a tool sees it. */
  private final class KeyedChannel implements CallChannel {
    private final Call call;
    private final KeyedCall<Reply.Whole> once;

    KeyedChannel(Call call, KeyedCall<Reply.Whole> once) {
      this.call = call;
      this.once = once;
    }

    @Override
    public @Nullable Guard guard(Function<Snapshot, ToolResult> answer) {
      return once.guard(it -> reply(answer.apply(it)));
    }

    @Override
    public String opId() {
      return once.opId();
    }

    @Override
    public void concerns(TaskId taskId) {
      once.concerns(taskId);
    }

    @Override
    public void afterAnswer(ResultReads.Answered then) {
      call.afterwards().add(then);
    }

    @Override
    public Slot slot() {
      var slot = slots.take(call.caller());
      return slot::close;
    }
  }
}
