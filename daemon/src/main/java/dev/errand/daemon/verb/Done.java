package dev.errand.daemon.verb;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/** The outcome of a change, as it is remembered for a repeat. */
sealed interface Done<A> {

  /**
   * It was done.
   *
   * @param remembered what the answer can be made from again
   */
  record Answered<A>(ObjectNode remembered, A answer) implements Done<A> {}

  /** It was refused, and would be again. */
  record Refused<A>(ErrorCode code, String detail, Map<String, Long> facts) implements Done<A> {
    public Refused {
      facts = Map.copyOf(facts);
    }
  }

  default A orThrow() {
    return switch (this) {
      case Answered<A> it -> it.answer();
      case Refused<A> it -> throw new ErrandException(it.code(), it.detail(), it.facts());
    };
  }
}
