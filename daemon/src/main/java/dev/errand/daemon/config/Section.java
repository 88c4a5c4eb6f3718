package dev.errand.daemon.config;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** One table of the config file; it notes which keys were asked for, so that others stand out. */
final class Section {
  private static final Pattern DURATION = Pattern.compile("(\\d{1,9})\\s*(ms|s|m|h|d)");
  private static final Pattern BYTES = Pattern.compile("(\\d{1,15})\\s*(B|KiB|MiB|GiB|TiB)?");

  private final String file;
  private final String text;
  private final String name;
  private final int place;
  private final JsonNode node;
  private final Set<String> known = new HashSet<>();

  Section(String file, String text, String name, JsonNode node) {
    this(file, text, name, 1, node);
  }

  /** One of several tables of the same name, counted from 1. */
  private Section(String file, String text, String name, int place, JsonNode node) {
    this.file = file;
    this.text = text;
    this.name = name;
    this.place = place;
    this.node = node;
  }

  int place() {
    return place;
  }

  Section section(String key) {
    var value = take(key);
    if (value == null) {
      return new Section(file, text, key, JsonNodeFactory.instance.objectNode());
    }
    if (!value.isObject()) {
      throw wrong(key, "a table");
    }
    return new Section(file, text, key, value);
  }

  /** The tables of an array of tables, in their order. */
  List<Section> tables(String key) {
    var value = take(key);
    var tables = new ArrayList<Section>();
    if (value == null) {
      return tables;
    }
    if (!value.isArray() || !value.valueStream().allMatch(JsonNode::isObject)) {
      throw wrong(key, "tables, each under its own [[" + path(key) + "]]");
    }
    for (var table : value) {
      tables.add(new Section(file, text, path(key), tables.size() + 1, table));
    }
    return tables;
  }

  List<String> texts(String key, List<String> standard) {
    var value = take(key);
    if (value == null) {
      return standard;
    }
    if (!value.isArray() || !value.valueStream().allMatch(JsonNode::isString)) {
      throw wrong(key, "a list of texts such as [\"a\", \"b\"]");
    }
    return value.valueStream().map(JsonNode::stringValue).toList();
  }

  boolean flag(String key, boolean standard) {
    var value = take(key);
    if (value == null) {
      return standard;
    }
    if (!value.isBoolean()) {
      throw wrong(key, "true or false");
    }
    return value.booleanValue();
  }

  int count(String key, int standard, int min, int max) {
    var value = take(key);
    if (value == null) {
      return standard;
    }
    if (!value.isIntegralNumber() || value.longValue() < min || value.longValue() > max) {
      throw wrong(key, "a number from " + min + " to " + max);
    }
    return value.intValue();
  }

  @Nullable String text(String key, @Nullable String standard) {
    var value = take(key);
    if (value == null) {
      return standard;
    }
    if (!value.isString()) {
      throw wrong(key, "a text in quotes");
    }
    return value.stringValue();
  }

  <T extends @Nullable Object> T word(String key, Map<String, ? extends T> words, T standard) {
    var value = text(key, null);
    if (value == null) {
      return standard;
    }
    var meaning = words.get(value);
    if (meaning == null) {
      throw wrong(key, "one of " + words.keySet().stream().sorted().toList());
    }
    return meaning;
  }

  Duration duration(String key, Duration standard) {
    var value = text(key, null);
    if (value == null) {
      return standard;
    }
    var match = DURATION.matcher(value);
    if (!match.matches()) {
      throw wrong(key, "a time such as \"500ms\", \"30s\", \"24h\" or \"7d\"");
    }
    var number = Long.parseLong(match.group(1));
    return switch (match.group(2)) {
      case "ms" -> Duration.ofMillis(number);
      case "s" -> Duration.ofSeconds(number);
      case "m" -> Duration.ofMinutes(number);
      case "h" -> Duration.ofHours(number);
      default -> Duration.ofDays(number);
    };
  }

  long bytes(String key, long standard) {
    var value = take(key);
    if (value == null) {
      return standard;
    }
    var match = BYTES.matcher(value.isIntegralNumber() ? value.asString() : value.asString(""));
    if (!match.matches()) {
      throw wrong(key, "a size such as \"512KiB\", \"1GiB\", or a number of bytes");
    }
    var unit = match.group(2) == null ? "B" : match.group(2);
    var shift = 10 * List.of("B", "KiB", "MiB", "GiB", "TiB").indexOf(unit);
    return Math.multiplyExact(Long.parseLong(match.group(1)), 1L << shift);
  }

  /** A size that has to fit where it is used. */
  int smallBytes(String key, int standard, int max) {
    var value = bytes(key, standard);
    if (value < 1 || value > max) {
      throw wrong(key, "a size from 1 to " + max + " bytes");
    }
    return (int) value;
  }

  void refuseUnknown() {
    for (var key : node.propertyNames()) {
      if (!known.contains(key)) {
        throw ConfigFile.refused(
            "%s, line %d: there is no setting %s; there are: %s"
                .formatted(file, lineOf(key), path(key), known.stream().sorted().toList()));
      }
    }
  }

  private @Nullable JsonNode take(String key) {
    known.add(key);
    return node.get(key);
  }

  RuntimeException wrong(String key, String wanted) {
    return ConfigFile.refused(
        "%s, line %d: %s must be %s".formatted(file, lineOf(key), path(key), wanted));
  }

  private String path(String key) {
    return name.isEmpty() ? key : name + "." + key;
  }

  /** The line that sets this key in this table; the tree does not keep it, the text does. */
  private int lineOf(String key) {
    var table = "";
    var number = 0;
    var tables = 0;
    var begin = 0;
    for (var line : text.lines().toList()) {
      number++;
      var bare = line.strip().toLowerCase(Locale.ROOT);
      if (bare.startsWith("[")) {
        table = bare.replaceAll("#.*", "").replaceAll("[\\[\\]\\s]", "");
        tables += table.equals(name) ? 1 : 0;
        begin = table.equals(name) && tables == place ? number : begin;
        if (table.equals(path(key))) {
          return number;
        }
      } else if (table.equals(name)
          && (name.isEmpty() || tables == place)
          && bare.matches("\"?" + Pattern.quote(key) + "\"?\\s*=.*")) {
        return number;
      }
    }
    // A key that is missing is missed where its table begins.
    return begin;
  }
}
