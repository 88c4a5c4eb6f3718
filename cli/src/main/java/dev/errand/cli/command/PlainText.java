package dev.errand.cli.command;

import java.io.ByteArrayOutputStream;

/**
 * Takes control sequences and control characters out of a stream of bytes, wherever it is cut; line
 * ends and tabs stay. Bytes of text are not looked at, so that what is no UTF-8 stays as it was.
 */
final class PlainText {
  private EscapeState state = EscapeState.TEXT;

  byte[] next(byte[] bytes) {
    var plain = new ByteArrayOutputStream(bytes.length);
    for (var one : bytes) {
      var code = one & 0xff;
      if (state == EscapeState.TEXT
          && (code >= 0x20 || code == '\n' || code == '\t')
          && code != 0x7f) {
        plain.write(code);
      } else {
        state = state.after(code);
      }
    }
    return plain.toByteArray();
  }
}
