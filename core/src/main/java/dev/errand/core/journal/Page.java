package dev.errand.core.journal;

import java.util.List;

/** A part of all frames in the order in which they became readable, and where to read on. */
public record Page(List<Entry> entries, Cursor next) {
  public Page {
    entries = List.copyOf(entries);
  }

  /** One frame with its stream and the cursor that stands right behind it. */
  public record Entry(StreamKey stream, EncodedFrame frame, Cursor cursor) {}
}
