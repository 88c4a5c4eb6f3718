package dev.errand.daemon.schema;

import java.util.List;

/** A schema that breaks the rules for schemas; the message says how. */
public final class WrongSchemaException extends Exception {
  private static final long serialVersionUID = 1;

  private final transient List<String> path;

  WrongSchemaException(List<String> path, String message) {
    super(message);
    this.path = List.copyOf(path);
  }

  /** The names that lead to the wrong place in the schema; empty where it is not known. */
  public List<String> path() {
    return path;
  }
}
