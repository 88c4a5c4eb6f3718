package dev.errand.daemon.verb;

import dev.errand.core.task.LogSpan;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A part of what a task wrote to one stream.
 *
 * @param log the log as it stood when this was read
 * @param offset where the first of these bytes stands in it
 * @param artifactId what the log became; null while it has not
 */
@SuppressWarnings("ArrayRecordComponent") // Written out once, never compared.
public record OutputBytes(LogSpan log, long offset, byte[] bytes, @Nullable String artifactId) {

  /** Whether bytes of this log are stored already behind the part. */
  public boolean truncated() {
    return offset + bytes.length < log.total();
  }

  /** Whether bytes of this log lie behind the part, or may come to lie there. */
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
