package dev.errand.wire.json;

import java.io.OutputStream;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonWriteFeature;
import tools.jackson.core.util.JsonpCharacterEscapes;

/** The one place where generators and parsers get their settings. */
final class JsonFactories {

  /** Levels of objects and arrays; what is deeper is refused. */
  static final int DEPTH_MAX = 64;

  /** Characters in one string; what is longer is refused. */
  static final int STRING_CHARS_MAX = 16 * 1024 * 1024;

  private static final int NAME_CHARS_MAX = 4 * 1024;
  private static final int NUMBER_CHARS_MAX = 64;

  /**
   * U+2028 and U+2029 end a line in JavaScript and in some readers of lines, so they are escaped.
   */
  private static final JsonFactory TRUSTED =
      JsonFactory.builder()
          .characterEscapes(JsonpCharacterEscapes.instance())
          .enable(JsonWriteFeature.COMBINE_UNICODE_SURROGATES_IN_UTF8)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  // One more than allowed: the tree reader checks too and reports the position.
                  .maxNestingDepth(DEPTH_MAX + 1)
                  .maxStringLength(STRING_CHARS_MAX)
                  .maxNameLength(NAME_CHARS_MAX)
                  .maxNumberLength(NUMBER_CHARS_MAX)
                  .build())
          .build();

  /** For foreign input: duplicate field names would be read differently by two readers. */
  private static final JsonFactory STRICT =
      TRUSTED.rebuild().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  private JsonFactories() {}

  static JsonGenerator generator(OutputStream out) {
    return TRUSTED.createGenerator(ObjectWriteContext.empty(), out);
  }

  static JsonParser parser(byte[] text) {
    return TRUSTED.createParser(ObjectReadContext.empty(), text, 0, text.length);
  }

  static JsonParser strictParser(byte[] text) {
    return STRICT.createParser(ObjectReadContext.empty(), text, 0, text.length);
  }
}
