package dev.errand.core.task;

import dev.errand.core.policy.Profile;
import org.jspecify.annotations.Nullable;

/** What the policy said when the task was spawned, by which rule, and why its caller wanted it. */
public record Ruling(Profile profile, Answer answer, String rule, @Nullable String justification) {

  public sealed interface Answer {
    /** It may run. */
    record Allowed() implements Answer {}

    /** A person has to answer until then. */
    record Asked(long untilMs) implements Answer {}
  }
}
