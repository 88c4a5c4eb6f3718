package dev.errand.host.protocol;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The host did not answer. Whether it did what was asked is unknown; its records will say. */
public final class HostUnreachable extends IOException {
  public HostUnreachable(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
