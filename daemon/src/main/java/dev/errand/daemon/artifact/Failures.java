package dev.errand.daemon.artifact;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import java.io.IOException;
import java.util.List;

/** Failures of the disk, in the words of the daemon. */
final class Failures {
  /** The JDK has no type for these; the texts are those of the C library, which it passes on. */
  private static final List<String> NO_ROOM =
      List.of("No space left on device", "Disk quota exceeded", "File too large");

  private Failures() {}

  static ErrandException of(String what, IOException cause) {
    var message = String.valueOf(cause.getMessage());
    var code =
        NO_ROOM.stream().anyMatch(message::contains)
            ? ErrorCode.INSUFFICIENT_STORAGE
            : ErrorCode.INTERNAL_ERROR;
    return new ErrandException(code, what + ": " + message, cause);
  }
}
