package dev.errand.core.task;

import dev.errand.core.policy.Profile;
import org.jspecify.annotations.Nullable;

/** The decision of the policy at spawn, the rule, and the caller's justification. */
public record Ruling(Profile profile, Answer answer, String rule, @Nullable String justification) {

  public sealed interface Answer {
    /** It may run. */
    record Allowed() implements Answer {}

    /** A person has to answer until then. */
    record Asked(long untilMs) implements Answer {}
  }
}
