package dev.errand.core.task;

import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Variables that the caller adds to a task's minimal environment, in the order of their names.
 *
 * @param secretNames variables that the task gets too, and whose values are not here and are never
 *     recorded
 */
public record Environment(Map<String, String> values, Set<String> secretNames) {
  public static final Environment NONE = new Environment(Map.of());

  public Environment {
    values = Collections.unmodifiableMap(new TreeMap<>(values));
    secretNames = Collections.unmodifiableSet(new TreeSet<>(secretNames));
  }

  public Environment(Map<String, String> values) {
    this(values, Set.of());
  }

  /** The names of all variables that the task gets, secret or not. */
  public Set<String> names() {
    var names = new TreeSet<>(values.keySet());
    names.addAll(secretNames);
    return names;
  }

  /** Names only: values hold keys and tokens, and this ends up in logs and bug reports. */
  @Override
  public String toString() {
    return "Environment" + values.keySet() + secretNames;
  }
}
