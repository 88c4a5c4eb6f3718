package dev.errand.daemon.verb;

import dev.errand.core.task.LogSpan;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A part of the output of a task in one stream.
 *
 * @param log the log at the time of the read
 * @param offset the position of the first of these bytes in it
 * @param artifactId the artifact that the log became; null before that
 */
@SuppressWarnings("ArrayRecordComponent") // Written out once, never compared.
public record OutputBytes(LogSpan log, long offset, byte[] bytes, @Nullable String artifactId) {

  /** Whether the log has stored bytes after this part. */
  public boolean truncated() {
    return offset + bytes.length < log.total();
  }

  /** Whether the log has bytes after this part, or may get some. */
  boolean more() {
    return !log.ended() || truncated();
  }

  OutputBytes from(int start) {
    var rest = Arrays.copyOfRange(bytes, start, bytes.length);
    return new OutputBytes(log, offset + start, rest, artifactId);
  }

  OutputBytes upTo(int end) {
    return new OutputBytes(log, offset, Arrays.copyOf(bytes, end), artifactId);
  }
}
