package dev.errand.core.error;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An operating failure (disk, database, host, network), or a refusal passed to a surface. The facts
 * are numbers that a caller can use, such as the offset to continue from.
 */
public final class ErrandException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final ErrorCode code;
  private final transient Map<String, Long> facts;

  public ErrandException(ErrorCode code, String message) {
    this(code, message, Map.of(), null);
  }

  public ErrandException(ErrorCode code, String message, Throwable cause) {
    this(code, message, Map.of(), cause);
  }

  public ErrandException(ErrorCode code, String message, Map<String, Long> facts) {
    this(code, message, facts, null);
  }

  private ErrandException(
      ErrorCode code, String message, Map<String, Long> facts, @Nullable Throwable cause) {
    super(message, cause);
    this.code = code;
    this.facts = Map.copyOf(facts);
  }

  public ErrorCode code() {
    return code;
  }

  public Map<String, Long> facts() {
    return facts;
  }
}
