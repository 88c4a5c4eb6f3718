package dev.errand.daemon.tool.shell;

import dev.errand.daemon.config.DeclaredTool;
import dev.errand.daemon.tool.Annotations;
import dev.errand.daemon.tool.Schema;
import dev.errand.daemon.tool.Tool;
import dev.errand.daemon.tool.ToolCall;
import dev.errand.daemon.tool.ToolInfo;
import dev.errand.daemon.tool.ToolResult;
import dev.errand.daemon.tool.Toolset;
import java.util.Optional;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** A tool that the configuration declares: its program is run as a task and waited for. */
final class CommandTool implements Tool {
  private final DeclaredTool declared;
  private final Launching launching;

  CommandTool(DeclaredTool declared, Launching launching) {
    this.declared = declared;
    this.launching = launching;
  }

  @Override
  public ToolInfo info() {
    return new ToolInfo(
        declared.name(),
        Toolset.DECLARED,
        declared.name(),
        declared.description(),
        declared.schema(),
        Annotations.RUNS);
  }

  @Override
  public Optional<String> starts(ObjectNode arguments) {
    return Optional.of(declared.name());
  }

  /** The arguments are held to the schema where the task is made. */
  @Override
  public ToolResult call(ToolCall call) throws InterruptedException {
    var body = JsonNodeFactory.instance.objectNode().put("tool", declared.name());
    body.set("args", call.arguments());
    body.put(Schema.SESSION_ID, call.session().value());
    body.put("max_output_bytes", Run.SHOWN_BYTES_DEFAULT);
    body.put(Schema.BATCH_ID, call.options().batchId());
    body.put(Schema.JUSTIFICATION, call.options().justification());
    return launching.once(call, body, declared.timeout());
  }
}
