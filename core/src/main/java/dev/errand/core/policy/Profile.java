package dev.errand.core.policy;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** How far a caller is trusted, from the least to the most. */
public enum Profile {
  /** Only what a rule allows. */
  SAFE("safe"),
  /** What no rule denies. */
  FULL_AUTO("full-auto");

  private final String word;

  Profile(String word) {
    this.word = word;
  }

  public String word() {
    return word;
  }

  public static Optional<Profile> ofWord(String word) {
    return Arrays.stream(values()).filter(it -> it.word.equals(word)).findFirst();
  }

  public static List<String> words() {
    return Arrays.stream(values()).map(Profile::word).toList();
  }

  /** The lower of the two: a caller cannot grant more than it has. */
  public Profile atMost(Profile ceiling) {
    return compareTo(ceiling) <= 0 ? this : ceiling;
  }
}
