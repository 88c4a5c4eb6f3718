package dev.errand.core.engine;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import java.util.Map;

/** The result of a command. */
public sealed interface Outcome {

  /** It is decided and, if anything happened, committed. */
  record Accepted(Snapshot snapshot, boolean changed) implements Outcome {}

  /** The facts are numbers that a caller may act on. */
  record Refused(ErrorCode code, String detail, Map<String, Long> facts) implements Outcome {
    public Refused {
      facts = Map.copyOf(facts);
    }

    public Refused(ErrorCode code, String detail) {
      this(code, detail, Map.of());
    }
  }

  /** The snapshot, or the refusal as the exception that carries it to the surface. */
  default Snapshot orThrow() {
    return switch (this) {
      case Accepted it -> it.snapshot();
      case Refused it -> throw new ErrandException(it.code(), it.detail(), it.facts());
    };
  }
}
