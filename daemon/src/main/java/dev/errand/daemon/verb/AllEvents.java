package dev.errand.daemon.verb;

import dev.errand.core.journal.Page;
import dev.errand.core.task.SessionId;
import dev.errand.wire.json.JsonFrameCodec;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the verbs that read all frames share: where they start, and whose frames they show. */
final class AllEvents {

  /** The number of frames in one read. */
  static final int FRAMES_AT_ONCE = 64;

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
        .filter(it -> session == null || JsonFrameCodec.isOf(session, it.frame()))
        .map(RecordedFrame::of)
        .toList();
  }
}
