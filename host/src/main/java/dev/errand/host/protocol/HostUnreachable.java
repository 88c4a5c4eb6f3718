package dev.errand.host.protocol;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The host did not answer. The outcome of the request is unknown until the host's records are read.
 */
public final class HostUnreachable extends IOException {
  public HostUnreachable(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
