package dev.errand.daemon.tool.verb;

import dev.errand.daemon.tool.Annotations;
import dev.errand.daemon.tool.Schema;
import dev.errand.daemon.tool.Tool;
import dev.errand.daemon.tool.ToolCall;
import dev.errand.daemon.tool.ToolInfo;
import dev.errand.daemon.tool.ToolResult;
import dev.errand.daemon.tool.Toolset;
import dev.errand.daemon.verb.StoreArtifact;
import dev.errand.wire.json.RequestFields;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import tools.jackson.databind.node.JsonNodeFactory;

/** {@code tool.output_store}: keeps content under its digest. */
final class StoreTool implements Tool {
  private static final Schema ARGUMENTS =
      Schema.object()
          .text("content", "what to keep, as text")
          .text("content_b64", "what to keep, as Base64");

  private final StoreArtifact store;

  StoreTool(StoreArtifact store) {
    this.store = store;
  }

  @Override
  public ToolInfo info() {
    return new ToolInfo(
        VerbTools.PREFIX + "output_store",
        Toolset.TASKS,
        "Store content",
        "Keep content as an artifact; its id is its SHA-256, under which tool_output_fetch reads"
            + " it.",
        ARGUMENTS.json(),
        Annotations.SETS);
  }

  @Override
  public ToolResult call(ToolCall call) throws InterruptedException {
    var bytes = content(call.fields(ARGUMENTS.names()));
    var source = new ByteArrayInputStream(bytes);
    var request = new StoreArtifact.Request(source, bytes.length, call.session());
    var stored = store.run(call.ask(), request);
    var node =
        JsonNodeFactory.instance
            .objectNode()
            .put("artifact_id", stored.sha256())
            .put("bytes", stored.bytes());
    return ToolResult.of(node, "stored " + stored.bytes() + " bytes as " + stored.sha256());
  }

  private static byte[] content(RequestFields fields) {
    var text = fields.text("content", Integer.MAX_VALUE);
    var base64 = fields.text("content_b64", Integer.MAX_VALUE);
    if ((text == null) == (base64 == null)) {
      throw RequestFields.invalid("send one of content and content_b64");
    }
    if (text != null) {
      return text.getBytes(StandardCharsets.UTF_8);
    }
    try {
      return Base64.getDecoder().decode(base64);
    } catch (IllegalArgumentException _) {
      throw RequestFields.invalid("content_b64 is not Base64");
    }
  }
}
