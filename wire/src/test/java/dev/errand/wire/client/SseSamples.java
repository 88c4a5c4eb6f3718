package dev.errand.wire.client;

import dev.errand.core.task.TaskId;
import dev.errand.wire.http.SseText;
import java.nio.charset.StandardCharsets;

/** Frames of one task as they stand in an event stream. */
final class SseSamples {
  static final TaskId TASK = new TaskId("01890a5d-ac96-774b-bcce-b302099a8057");

  private SseSamples() {}

  static String output(long seq, long offset, long bytes, String chunk, boolean cut) {
    var json =
        "{\"seq\":%d,\"type\":\"tool_task_output_delta\",\"stream\":\"stdout\",\"chunk\":\"%s\",\"chunk_cut\":%b,\"artifacts\":{\"log\":{\"offset_bytes\":%d,\"bytes\":%d}}}"
            .formatted(seq, chunk, cut, offset, bytes);
    return text(SseText.frame(Long.toString(seq), utf8(json)));
  }

  static String frame(long seq) {
    var json = "{\"seq\":" + seq + ",\"type\":\"tool_task_attempt\",\"x\":\"日本\"}";
    return text(SseText.frame(Long.toString(seq), utf8(json)));
  }

  static String terminal(long seq) {
    var json = "{\"seq\":" + seq + ",\"type\":\"tool_task_status\",\"status\":\"exited\"}";
    return text(SseText.frame(Long.toString(seq), utf8(json)));
  }

  static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
