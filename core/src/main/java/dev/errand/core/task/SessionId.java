package dev.errand.core.task;

import java.util.regex.Pattern;

/** Identifies a session, which is the namespace of labels. */
public record SessionId(String value) {
  private static final Pattern FORM = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

  public SessionId {
    if (!isValid(value)) {
      throw new IllegalArgumentException(
          "a session id has 1 to 64 letters, digits, '.', '_' or '-', and begins with a letter or"
              + " digit");
    }
  }

  /** Whether there can be a session of this name. */
  public static boolean isValid(String value) {
    return FORM.matcher(value).matches();
  }

  @Override
  public String toString() {
    return value;
  }
}
