package dev.errand.core.policy;

/** What decided: a rule, numbered from 1 in the order of the config, or 0 if no rule matched. */
public record Basis(int number, String name) {

  /** No rule matched, so the default of the profile applies. */
  static Basis of(Profile profile) {
    return new Basis(0, "profile " + profile.word());
  }
}
