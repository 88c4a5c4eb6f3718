package dev.errand.daemon.schema;

import com.networknt.schema.ExecutionContext;
import com.networknt.schema.SchemaContext;
import com.networknt.schema.format.Format;

/**
 * A format of the library, for texts of a bounded length: some of them are matched by {@code
 * java.util.regex}, in time that grows with the square of the length, or on a stack that grows.
 */
record ShortFormat(Format format) implements Format {
  static final int CHARS_MAX = 2_048;
  private static final int CHARS_MAX_ON_STACK = 256;

  @Override
  public String getName() {
    return format.getName();
  }

  @Override
  public String getMessageKey() {
    return format.getMessageKey();
  }

  @Override
  public boolean matches(ExecutionContext execution, SchemaContext schema, String value) {
    var max = getName().equals("uri-template") ? CHARS_MAX_ON_STACK : CHARS_MAX;
    return value.length() <= max && format.matches(execution, schema, value);
  }
}
