package dev.errand.cli.terminal;

import java.io.IOException;

/** Whoever read our output has gone, as {@code head} does; there is nothing left to do. */
public final class OutputClosedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  OutputClosedException(IOException cause) {
    super("the output was closed", cause);
  }
}
