package dev.errand.wire.home;

import java.util.HashMap;
import java.util.Map;

/**
 * The environment in which a process of Errand was started. The launcher sets a UTF-8 locale if
 * there is none, and stores the original value; this restores it for child processes.
 */
public final class StartEnvironment {
  private static final String LOCALE = "LC_ALL";

  /** Empty if it was not set. */
  private static final String LOCALE_BEFORE = "ERRAND_LC_ALL";

  private StartEnvironment() {}

  /** The environment of the caller of this process. */
  public static Map<String, String> of(Map<String, String> environment) {
    var before = environment.get(LOCALE_BEFORE);
    if (before == null) {
      return environment;
    }
    var restored = new HashMap<>(environment);
    restored.remove(LOCALE_BEFORE);
    if (before.isEmpty()) {
      restored.remove(LOCALE);
    } else {
      restored.put(LOCALE, before);
    }
    return Map.copyOf(restored);
  }
}
