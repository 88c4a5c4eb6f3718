package dev.errand.core.task;

import java.util.Map;
import java.util.TreeMap;

/** Variables that the caller adds to a task's minimal environment, in the order of their names. */
public record Environment(Map<String, String> values) {
  public static final Environment NONE = new Environment(Map.of());

  public Environment {
    values = java.util.Collections.unmodifiableMap(new TreeMap<>(values));
  }

  /** Names only: values hold keys and tokens, and this ends up in logs and bug reports. */
  @Override
  public String toString() {
    return "Environment" + values.keySet();
  }
}
