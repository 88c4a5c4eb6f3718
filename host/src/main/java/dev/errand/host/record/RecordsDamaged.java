package dev.errand.host.record;

import java.io.IOException;

/** The records behind some place cannot be read, now or later. */
public final class RecordsDamaged extends IOException {
  private static final long serialVersionUID = 1L;

  RecordsDamaged(String message) {
    super(message);
  }
}
