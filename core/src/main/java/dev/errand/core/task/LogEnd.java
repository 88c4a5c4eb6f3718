package dev.errand.core.task;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A log when its task has ended; the digest is of the stored bytes, and absent where none are. */
public record LogEnd(
    LogStream stream,
    long bytesTotal,
    long bytesStored,
    long lines,
    @Nullable String sha256,
    List<Extent> extents) {

  public LogEnd {
    extents = List.copyOf(extents);
  }

  /** A stored part of a log, by stream offsets; {@code to} is exclusive. */
  public record Extent(long from, long to) {}
}
