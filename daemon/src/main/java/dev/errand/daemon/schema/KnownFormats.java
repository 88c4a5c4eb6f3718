package dev.errand.daemon.schema;

import com.networknt.schema.Schema;
import com.networknt.schema.SchemaContext;
import com.networknt.schema.SchemaException;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.format.Format;
import com.networknt.schema.keyword.FormatKeyword;
import com.networknt.schema.keyword.KeywordValidator;
import java.util.Map;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;

/** The rule {@code format}: one that nobody would check is refused, not passed over. */
final class KnownFormats extends FormatKeyword {
  private final Map<String, Format> formats;

  KnownFormats(Map<String, Format> formats) {
    super(formats);
    this.formats = formats;
  }

  @Override
  public KeywordValidator newValidator(
      SchemaLocation location, JsonNode value, Schema parent, SchemaContext context) {
    if (!formats.containsKey(value.stringValue(""))) {
      throw new SchemaException(
          "there is no format " + value + "; there are " + new TreeSet<>(formats.keySet()));
    }
    return super.newValidator(location, value, parent, context);
  }
}
