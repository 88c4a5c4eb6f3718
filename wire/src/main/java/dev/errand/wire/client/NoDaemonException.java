package dev.errand.wire.client;

import org.jspecify.annotations.Nullable;

/** No daemon answers: none runs, or it was gone for longer than the client's patience. */
public final class NoDaemonException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  NoDaemonException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
