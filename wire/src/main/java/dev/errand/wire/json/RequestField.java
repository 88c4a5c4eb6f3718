package dev.errand.wire.json;

/**
 * One field that a request may have. This is the only place that says what it is: who reads
 * requests, the schemas of tools, OpenAPI and the reference take it from here.
 *
 * @param meaning what it says, in a few words that fit into a schema
 * @param required whether a request without it is refused
 * @param since the first version that knew it
 */
public record RequestField<T extends FieldType>(
    String name, T type, String meaning, boolean required, String since) {
  private static final String FIRST_VERSION = "0.1.0";

  /** One that may be left out, and was there from the beginning. */
  static <T extends FieldType> RequestField<T> of(String name, T type, String meaning) {
    return new RequestField<>(name, type, meaning, false, FIRST_VERSION);
  }

  /** The same, which must be there. */
  RequestField<T> needed() {
    return new RequestField<>(name, type, meaning, true, since);
  }

  /** The same, which came with this version. */
  RequestField<T> since(String version) {
    return new RequestField<>(name, type, meaning, required, version);
  }
}
