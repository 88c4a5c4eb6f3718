package dev.errand.daemon.surface.http;

import dev.errand.core.journal.EncodedFrame;
import dev.errand.core.task.SessionId;
import java.nio.charset.StandardCharsets;

/** Reads a frame's owner off its first bytes: parsing each frame for each subscriber would cost. */
final class Envelope {

  /**
   * {@code id} and {@code session_id} come first in every frame, and neither is longer than this.
   */
  private static final int HEAD_BYTES = 200;

  private Envelope() {}

  static boolean isOf(SessionId session, EncodedFrame frame) {
    var bytes = frame.bytes();
    var head =
        new String(bytes, 0, Math.min(bytes.length, HEAD_BYTES), StandardCharsets.ISO_8859_1);
    var at = head.indexOf("\"session_id\":\"");
    // A session id needs no escapes, so its text is its JSON.
    return at >= 0 && head.startsWith("\"session_id\":\"" + session.value() + "\"", at);
  }
}
