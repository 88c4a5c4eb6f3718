package dev.errand.wire.client;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;

/** Input that is not acknowledged yet, in order, with a limit. */
final class Unacknowledged {
  /** Above this limit, new input blocks. */
  private static final int BYTES_MAX = 256 * 1024;

  private final Map<String, Write> writes = new LinkedHashMap<>();
  private int bytes;
  private boolean closed;

  @SuppressWarnings("ArrayRecordComponent") // Sent as they are, never compared.
  record Write(String id, byte[] message, int length) {}

  /** Must be called before input is added, without any lock. */
  synchronized void awaitRoom() {
    try {
      while (bytes >= BYTES_MAX && !closed) {
        wait();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CancellationException("interrupted while typing");
    }
  }

  synchronized void add(Write write) {
    writes.put(write.id(), write);
    bytes += write.length();
  }

  synchronized void done(String id) {
    var write = writes.remove(id);
    if (write != null) {
      bytes -= write.length();
      notifyAll();
    }
  }

  synchronized void clear() {
    writes.clear();
    bytes = 0;
    notifyAll();
  }

  synchronized List<Write> all() {
    return new ArrayList<>(writes.values());
  }

  /** Wakes all waiting threads. */
  synchronized void close() {
    closed = true;
    notifyAll();
  }
}
