package dev.errand.wire.home;

import java.util.HashMap;
import java.util.Map;

/**
 * The environment that a process of ours was started in. The launcher gives it a locale with UTF-8
 * where there was none, and keeps beside it what was set; nobody else is to see that.
 */
public final class StartEnvironment {
  private static final String LOCALE = "LC_ALL";

  /** Empty where nothing was set. */
  private static final String LOCALE_BEFORE = "ERRAND_LC_ALL";

  private StartEnvironment() {}

  /** As whoever started this process has it. */
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
