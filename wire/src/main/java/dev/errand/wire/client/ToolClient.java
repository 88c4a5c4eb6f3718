package dev.errand.wire.client;

import dev.errand.wire.http.Headers;
import dev.errand.wire.http.Params;
import dev.errand.wire.http.Routes;
import dev.errand.wire.json.JsonFields;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Lists and calls the tools of the daemon. */
public final class ToolClient {

  /** How long a tool may wait for a command in the foreground before it answers. */
  private static final Duration PATIENCE = Duration.ofHours(24);

  private final Transport transport;

  ToolClient(Transport transport) {
    this.transport = transport;
  }

  /** The description of each tool. */
  public List<JsonFields> list() {
    var tools = new ArrayList<JsonFields>();
    for (var tool : transport.call(HttpRequest.of("GET", Routes.TOOLS)).json().node()) {
      tools.add(new JsonFields(tool));
    }
    return tools;
  }

  /** The description of each tool of a set, such as {@code agent}. */
  public List<JsonFields> list(String set) {
    var target = new Query(Routes.TOOLS).with(Params.SET, set).toString();
    var tools = new ArrayList<JsonFields>();
    for (var tool : transport.call(HttpRequest.of("GET", target)).json().node()) {
      tools.add(new JsonFields(tool));
    }
    return tools;
  }

  /** Calls a tool with this JSON object; answers {@code structured}, {@code text}, is_error. */
  public JsonFields call(String name, byte[] arguments) {
    return call(name, arguments, null, null, null);
  }

  /** The same in this session, and in this batch; null leaves it to the daemon. */
  public JsonFields call(
      String name, byte[] arguments, @Nullable String sessionId, @Nullable String batchId) {
    return call(name, arguments, sessionId, batchId, null);
  }

  /** The same with a justification, which a policy rule may require. */
  public JsonFields call(
      String name,
      byte[] arguments,
      @Nullable String sessionId,
      @Nullable String batchId,
      @Nullable String justification) {
    return call(name, arguments, new Options(sessionId, batchId, justification, null));
  }

  /**
   * What is said of a call beside its arguments; null leaves it to the daemon.
   *
   * @param folder where the caller works, as an absolute path: tasks that name no folder run there
   */
  public record Options(
      @Nullable String sessionId,
      @Nullable String batchId,
      @Nullable String justification,
      @Nullable String folder) {}

  /** The same with all that can be said. */
  public JsonFields call(String name, byte[] arguments, Options options) {
    var target =
        new Query(Routes.tool(name))
            .with(Params.SESSION_ID, options.sessionId())
            .with(Params.BATCH_ID, options.batchId())
            .with(Params.JUSTIFICATION, options.justification())
            .with(Params.CWD, options.folder())
            .toString();
    var request = HttpRequest.of("POST", target).json(arguments).waiting(PATIENCE);
    return transport.call(request.header(Headers.IDEMPOTENCY_KEY, IdempotencyKeys.next())).json();
  }
}
