package dev.errand.wire.client;

import java.io.IOException;

/** The response violates the protocol, so a retry would not help. */
final class BadAnswerException extends IOException {
  private static final long serialVersionUID = 1L;

  BadAnswerException(String message) {
    super(message);
  }
}
