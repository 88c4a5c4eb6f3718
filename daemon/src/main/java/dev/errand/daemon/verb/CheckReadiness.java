package dev.errand.daemon.verb;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import java.util.Optional;
import java.util.function.Supplier;

/** Checks whether the daemon accepts tasks; if not, it refuses with the reason. */
public final class CheckReadiness extends Verb<CheckReadiness.Request, CheckReadiness.Ready> {
  private final Supplier<Optional<String>> notReady;

  public record Request() implements OfNothing {}

  /** The daemon accepts tasks. */
  public record Ready() {}

  CheckReadiness(Verbs.Parts parts) {
    super("check_readiness", new Access.Common(), parts.floor().authorizer());
    this.notReady = parts.running().notReady();
  }

  @Override
  Ready answer(Ask ask, Request request) {
    var reason = notReady.get();
    if (reason.isPresent()) {
      throw new ErrandException(ErrorCode.NOT_READY, reason.get());
    }
    return new Ready();
  }
}
