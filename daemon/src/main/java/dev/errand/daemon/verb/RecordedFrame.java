package dev.errand.daemon.verb;

import dev.errand.core.journal.EncodedFrame;
import dev.errand.core.journal.Page;

/** A recorded frame, and the cursor after it. The bytes are shared and must not be changed. */
@SuppressWarnings("ArrayRecordComponent") // Written out once, never compared.
public record RecordedFrame(String cursor, byte[] bytes) {

  /** Of one task; the number of the frame is the cursor. */
  static RecordedFrame of(EncodedFrame frame) {
    return new RecordedFrame(Long.toString(frame.seq()), frame.bytes());
  }

  static RecordedFrame of(Page.Entry entry) {
    return new RecordedFrame(entry.cursor().text(), entry.frame().bytes());
  }
}
