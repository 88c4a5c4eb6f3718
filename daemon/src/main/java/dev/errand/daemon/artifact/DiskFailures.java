package dev.errand.daemon.artifact;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import java.io.IOException;
import java.util.List;

/** Maps disk failures to error codes; temporary ones get retryable codes. */
public final class DiskFailures {
  /** The JDK has no type for these; the texts come from the C library. */
  private static final List<String> NO_ROOM =
      List.of("No space left on device", "Disk quota exceeded", "File too large");

  private static final List<String> TOO_MUCH_AT_ONCE =
      List.of("Too many open files", "Cannot allocate memory");

  private DiskFailures() {}

  public static ErrandException of(String what, IOException cause) {
    var message = String.valueOf(cause.getMessage());
    return new ErrandException(code(message), what + ": " + message, cause);
  }

  private static ErrorCode code(String message) {
    if (NO_ROOM.stream().anyMatch(message::contains)) {
      return ErrorCode.INSUFFICIENT_STORAGE;
    }
    return TOO_MUCH_AT_ONCE.stream().anyMatch(message::contains)
        ? ErrorCode.LIMIT_EXCEEDED
        : ErrorCode.INTERNAL_ERROR;
  }
}
