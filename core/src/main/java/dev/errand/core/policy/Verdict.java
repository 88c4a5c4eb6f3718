package dev.errand.core.policy;

/** What the policy says to a facts, and what that rests on. */
public sealed interface Verdict {
  Basis basis();

  record Allowed(Basis basis) implements Verdict {}

  /** A person has to answer first. */
  record Asked(Basis basis) implements Verdict {}

  record Denied(Basis basis) implements Verdict {}

  /** It would not be denied if its caller had said why. */
  record Unjustified(Basis basis) implements Verdict {}
}
