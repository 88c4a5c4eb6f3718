package dev.errand.wire.client;

import java.io.IOException;

/** What came back is not what was agreed on, so asking again would not help. */
final class BadAnswerException extends IOException {
  private static final long serialVersionUID = 1L;

  BadAnswerException(String message) {
    super(message);
  }
}
