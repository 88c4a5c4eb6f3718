package dev.errand.daemon;

import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is open and has to be closed: the newest first, since each was opened with what was there
 * before it. One that fails at closing keeps no other open.
 */
final class OpenParts implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(OpenParts.class);

  private final Deque<Open> open = new ArrayDeque<>();

  private record Open(String name, AutoCloseable part) {}

  /** Has this closed in its turn. */
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
