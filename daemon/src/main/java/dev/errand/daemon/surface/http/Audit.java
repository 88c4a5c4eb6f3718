package dev.errand.daemon.surface.http;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes down who was refused and who changed what. Never headers, queries, bodies: they hold
 * tokens, variables and what is typed.
 */
final class Audit {
  private static final Logger LOG = LoggerFactory.getLogger("errand.audit");

  private Audit() {}

  static void controlled(String who, String method, String path, int status) {
    LOG.info("{} {} {} -> {}", who, method, Printable.of(path), status);
  }

  static void refused(String door, String method, String path, int status) {
    LOG.warn("refused: {} {} {} -> {}", door, Printable.of(method), Printable.of(path), status);
  }
}
