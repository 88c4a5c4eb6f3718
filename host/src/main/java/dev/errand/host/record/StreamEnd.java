package dev.errand.host.record;

import dev.errand.core.task.LogStream;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The totals of one output stream of an attempt.
 *
 * @param bytesTotal all that the process wrote while the host recorded, including dropped ranges
 * @param lines newlines in the stored bytes
 * @param sha256 of the stored bytes in order, in hex; null if there are none
 */
public record StreamEnd(
    LogStream stream,
    long bytesTotal,
    long bytesStored,
    long lines,
    @Nullable String sha256,
    List<Extent> extents) {
  public StreamEnd {
    extents = List.copyOf(extents);
  }
}
