package dev.errand.core.error;

import org.jspecify.annotations.Nullable;

/** An operating failure (disk, database, host, network), or a refusal on its way out. */
public final class ErrandException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final ErrorCode code;

  public ErrandException(ErrorCode code, String message) {
    this(code, message, null);
  }

  public ErrandException(ErrorCode code, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.code = code;
  }

  public ErrorCode code() {
    return code;
  }
}
