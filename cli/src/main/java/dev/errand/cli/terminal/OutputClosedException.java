package dev.errand.cli.terminal;

import java.io.IOException;

/** The reader of the output closed it, as {@code head} does, so the program ends. */
public final class OutputClosedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  OutputClosedException(IOException cause) {
    super("the output was closed", cause);
  }
}
