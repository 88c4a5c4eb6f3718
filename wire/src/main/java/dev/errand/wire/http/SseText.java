package dev.errand.wire.http;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * The text of an event stream. A frame is an unnamed event with its seq (or, in the stream of all
 * tasks, its cursor) as the id; marks are named, and comments keep the connection alive.
 */
public final class SseText {

  /** History ends here and live frames follow; its data is {@code {"seq": N}}. */
  public static final String CAUGHT_UP = "caught_up";

  /** The name of the event that tells of output whose frames are still to come. */
  public static final String STORED = "stored";

  private SseText() {}

  /** The JSON must be on one line, as the codec writes it. */
  public static byte[] frame(String id, byte[] json) {
    var text = new ByteArrayOutputStream(json.length + id.length() + 16);
    text.writeBytes(utf8("id: " + id + "\ndata: "));
    text.writeBytes(json);
    text.writeBytes(utf8("\n\n"));
    return text.toByteArray();
  }

  public static byte[] caughtUp(long seq) {
    return utf8("event: " + CAUGHT_UP + "\ndata: {\"seq\":" + seq + "}\n\n");
  }

  public static byte[] keepAlive(String head) {
    return utf8(": ping " + head + "\n\n");
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
