package dev.errand.cli.command;

import dev.errand.wire.terminal.EscapeFilter;
import java.io.ByteArrayOutputStream;

/**
 * Removes escape sequences and control characters from a stream of bytes, wherever it is cut; new
 * lines and tabs stay. Bytes of text are copied unchanged, also where they are not UTF-8.
 */
final class PlainBytes {
  private final EscapeFilter filter = new EscapeFilter();

  byte[] next(byte[] bytes) {
    var plain = new ByteArrayOutputStream(bytes.length);
    for (var it : bytes) {
      if (filter.shows(it) && it != '\r') {
        plain.write(it);
      }
    }
    return plain.toByteArray();
  }
}
