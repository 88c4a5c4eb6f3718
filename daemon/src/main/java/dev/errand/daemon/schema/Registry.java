package dev.errand.daemon.schema;

import com.networknt.schema.SchemaException;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.Specification;
import com.networknt.schema.dialect.Dialect;
import com.networknt.schema.dialect.DialectId;
import com.networknt.schema.format.Format;
import com.networknt.schema.format.Formats;
import com.networknt.schema.keyword.AnnotationKeyword;
import com.networknt.schema.regex.RegularExpression;
import dev.errand.daemon.pattern.BoundedPattern;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/** The library as it is used here: what it may load, match and know. */
final class Registry {
  /** What a schema without {@code $schema} is written in. */
  static final String DRAFT = DialectId.DRAFT_2020_12;

  /** Those of the drafts; of the library's own some are slow. */
  private static final Set<String> FORMATS =
      Set.of(
          "date",
          "date-time",
          "duration",
          "email",
          "hostname",
          "idn-email",
          "idn-hostname",
          "ipv4",
          "ipv6",
          "iri",
          "iri-reference",
          "json-pointer",
          "regex",
          "relative-json-pointer",
          "time",
          "uri",
          "uri-reference",
          "uri-template",
          "uuid");

  private static final Map<String, Dialect> DIALECTS = new ConcurrentHashMap<>();

  static final SchemaRegistry INSTANCE =
      SchemaRegistry.builder()
          .defaultDialectId(DRAFT)
          .dialectRegistry((id, _) -> dialect(id))
          // The drafts themselves, which are in its jar.
          .schemaLoader(it -> it.allow(iri -> isOfDraft(iri.toString())))
          .schemaRegistryConfig(
              SchemaRegistryConfig.builder()
                  .formatAssertionsEnabled(true)
                  .locale(Locale.ROOT)
                  .preloadSchema(false)
                  .regularExpressionFactory(Registry::pattern)
                  .build())
          .build();

  private Registry() {}

  private static boolean isOfDraft(String iri) {
    return iri.startsWith("https://json-schema.org/draft")
        || iri.startsWith("http://json-schema.org/draft");
  }

  /** RE2, as everywhere here. As in a JSON Schema, it may match anywhere in the text. */
  private static RegularExpression pattern(String text) {
    var compiled = BoundedPattern.compileQuick(text, 0);
    return value -> compiled.matcher(value).find();
  }

  private static Dialect dialect(String id) {
    var known = Specification.getDialect(id);
    if (known == null) {
      throw new SchemaException("$schema names no draft of JSON Schema that is known: " + id);
    }
    return DIALECTS.computeIfAbsent(id, _ -> adapted(known));
  }

  private static Dialect adapted(Dialect dialect) {
    var formats =
        Formats.DEFAULT.stream()
            .filter(it -> FORMATS.contains(it.getName()))
            .collect(Collectors.<Format, String, Format>toMap(Format::getName, ShortFormat::new));
    return Dialect.builder(dialect)
        .formatKeywordFactory(_ -> new KnownFormats(formats))
        .unknownKeywordFactory((name, _) -> new AnnotationKeyword(name))
        .build();
  }
}
