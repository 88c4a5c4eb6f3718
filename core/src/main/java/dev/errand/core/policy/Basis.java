package dev.errand.core.policy;

/**
 * What a verdict rests on: the rule of that number, counted from 1 in the order of the config, or 0
 * where no rule spoke and something else decided.
 */
public record Basis(int number, String name) {

  /** No rule spoke, so what the profile says by itself holds. */
  static Basis of(Profile profile) {
    return new Basis(0, "profile " + profile.word());
  }
}
