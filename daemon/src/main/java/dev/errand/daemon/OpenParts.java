package dev.errand.daemon;

import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The open parts, closed in reverse order. If one fails to close, the others are still closed. */
final class OpenParts implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(OpenParts.class);

  private final Deque<Open> open = new ArrayDeque<>();

  private record Open(String name, AutoCloseable part) {}

  /** Adds a part to close. */
  <T extends AutoCloseable> T add(String name, T part) {
    open.addLast(new Open(name, part));
    return part;
  }

  @Override
  public void close() {
    while (!open.isEmpty()) {
      var last = open.removeLast();
      try {
        last.part().close();
      } catch (Exception e) {
        log.warn("closing {} failed", last.name(), e);
      }
    }
  }
}
