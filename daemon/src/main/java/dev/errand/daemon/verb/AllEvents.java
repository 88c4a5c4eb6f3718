package dev.errand.daemon.verb;

import dev.errand.core.journal.EncodedFrame;
import dev.errand.core.journal.Page;
import dev.errand.core.task.SessionId;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the verbs that read all frames share: where they start, and whose frames they show. */
final class AllEvents {

  /** The number of frames in one read. */
  static final int FRAMES_AT_ONCE = 64;

  /**
   * {@code id} and {@code session_id} come first in every frame, and neither is longer than this.
   */
  private static final int HEAD_BYTES = 200;

  private AllEvents() {}

  /** Whose frames are shown: those of the requested session, or those in the reach. */
  static @Nullable SessionId session(@Nullable SessionId named, ReachFilter reached) {
    if (named == null) {
      return reached.session();
    }
    reached.mustCover(named);
    return named;
  }

  static List<RecordedFrame> shown(Page page, @Nullable SessionId session) {
    return page.entries().stream()
        .filter(it -> session == null || isOf(session, it.frame()))
        .map(RecordedFrame::of)
        .toList();
  }

  /** Compares the first bytes: parsing each frame for each subscriber would cost too much. */
  private static boolean isOf(SessionId session, EncodedFrame frame) {
    var bytes = frame.bytes();
    var head =
        new String(bytes, 0, Math.min(bytes.length, HEAD_BYTES), StandardCharsets.ISO_8859_1);
    var at = head.indexOf("\"session_id\":\"");
    // A session id needs no escapes, so its text is its JSON.
    return at >= 0 && head.startsWith("\"session_id\":\"" + session.value() + "\"", at);
  }
}
