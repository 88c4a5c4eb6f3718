package dev.errand.core.policy;

/** The decision of the policy about a spawn, and what decided it. */
public sealed interface Verdict {
  Basis basis();

  record Allowed(Basis basis) implements Verdict {}

  /** A person has to answer first. */
  record Asked(Basis basis) implements Verdict {}

  record Denied(Basis basis) implements Verdict {}

  /** It would not be denied with a justification. */
  record Unjustified(Basis basis) implements Verdict {}
}
