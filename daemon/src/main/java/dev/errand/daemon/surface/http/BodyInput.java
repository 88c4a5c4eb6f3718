package dev.errand.daemon.surface.http;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.time.Time;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The body of a request while it arrives. A body that is too slow, silent or with single bytes,
 * gets an error of its own, unlike a lost connection; and the token is checked again at its end.
 */
final class BodyInput extends FilterInputStream {
  /** A body slower than this, for longer than the server waits for a byte, is refused. */
  private static final int BYTES_PER_SECOND_MIN = 1024;

  private static final String LATE = "the rest of the body did not arrive; send it again";

  private final Duration idle;
  private final Runnable atEnd;
  private final Time clock;
  private final long begunTicks;
  private long bytes;

  /** {@code atEnd} may still refuse the request before it has an effect. */
  BodyInput(InputStream in, Duration idle, Runnable atEnd, Time clock) {
    super(in);
    this.idle = idle;
    this.atEnd = atEnd;
    this.clock = clock;
    this.begunTicks = clock.ticks();
  }

  @Override
  public int read() throws IOException {
    var one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
  }

  @Override
  public int read(byte[] into, int from, int length) throws IOException {
    var read = readInTime(into, from, length);
    if (read < 0) {
      atEnd.run();
      return read;
    }
    bytes += read;
    var due = idle.plusSeconds(bytes / BYTES_PER_SECOND_MIN);
    if (clock.ticks() - begunTicks > due.toNanos()) {
      throw late(null);
    }
    return read;
  }

  /** Its rest is not waited for, so the connection ends with the answer. */
  private ErrandException late(@Nullable IOException cause) throws IOException {
    super.close();
    return cause == null
        ? new ErrandException(ErrorCode.REQUEST_TIMEOUT, LATE)
        : new ErrandException(ErrorCode.REQUEST_TIMEOUT, LATE, cause);
  }

  /** The door reads the rest when the answer is sent. */
  @Override
  public void close() {}

  private int readInTime(byte[] into, int from, int length) throws IOException {
    try {
      return super.read(into, from, length);
    } catch (IOException e) {
      if (e.getCause() instanceof TimeoutException) {
        throw late(e);
      }
      throw e;
    }
  }
}
