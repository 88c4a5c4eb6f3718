package dev.errand.daemon.tool.shell;

import dev.errand.wire.json.Json;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Something that a run wrote, or that happened to it; numbered as the frame that records it.
 *
 * @param left of an end, what became of processes that outlived the run; else empty
 */
record RunItem(
    long seq, String type, String payload, @Nullable ObjectNode meta, long atMs, String left) {
  static final String STDOUT = "stdout";
  static final String STDERR = "stderr";
  static final String EVENT = "event";

  RunItem(long seq, String type, String payload, @Nullable ObjectNode meta, long atMs) {
    this(seq, type, payload, meta, atMs, "");
  }

  ObjectNode json() {
    return JsonNodeFactory.instance
        .objectNode()
        .put("seq", seq)
        .put("type", type)
        .put("payload", payload)
        .put("meta_json", meta == null ? null : Json.text(meta))
        .put("created_at", Instant.ofEpochMilli(atMs).toString());
  }
}
