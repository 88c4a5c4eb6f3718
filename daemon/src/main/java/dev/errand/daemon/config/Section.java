package dev.errand.daemon.config;

import dev.errand.wire.json.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * One table of the config file. Each read is recorded, so that unknown keys are found, and each
 * setting is described only where it is read.
 */
final class Section {
  private static final int PORT_MAX = 65_535;
  private static final Pattern ADDRESS = Pattern.compile("(\\[[^]]+]|[^:\\s]+):\\d{1,5}");

  private final SourceText source;
  private final SourceText.Table table;
  private final JsonNode node;
  private final boolean live;
  private final Set<String> known;
  private final List<Setting> settings;

  private Section(
      SourceText source,
      SourceText.Table table,
      JsonNode node,
      boolean live,
      Set<String> known,
      List<Setting> settings) {
    this.source = source;
    this.table = table;
    this.node = node;
    this.live = live;
    this.known = known;
    this.settings = settings;
  }

  /** The whole file; settings read from it and its tables are added to the list. */
  static Section root(SourceText source, JsonNode node, List<Setting> settings) {
    return new Section(source, SourceText.Table.ROOT, node, false, new HashSet<>(), settings);
  }

  private Section within(SourceText.Table inner, JsonNode value) {
    return new Section(source, inner, value, false, new HashSet<>(), settings);
  }

  /** The same table for live settings. */
  Section live() {
    return new Section(source, table, node, true, known, settings);
  }

  /** The index of this table among those of its name, from 1. */
  int place() {
    return table.place();
  }

  /** The keys in the file. */
  List<String> names() {
    return List.copyOf(node.propertyNames());
  }

  Section section(String key) {
    var value = take(key);
    if (value != null && !value.isObject()) {
      throw wrong(key, "a table");
    }
    return within(
        SourceText.Table.of(table.path(key)),
        value == null ? JsonNodeFactory.instance.objectNode() : value);
  }

  /** Whether the file has a table of that name. */
  boolean isTable(String key) {
    return node.path(key).isObject();
  }

  /** The raw value, for a setting with several forms. */
  @Nullable JsonNode tree(String key) {
    var value = take(key);
    note(key, "tree", "", Setting.NONE, value == null ? Setting.NONE : Json.text(value));
    return value;
  }

  /** The tables of an array of tables, in their order. */
  List<Section> tables(String key) {
    var value = take(key);
    var tables = new ArrayList<Section>();
    if (value != null) {
      if (!value.isArray() || !value.valueStream().allMatch(JsonNode::isObject)) {
        throw wrong(key, "tables, each under its own [[" + table.path(key) + "]]");
      }
      for (var item : value) {
        var inner = new SourceText.Table(table.path(key), tables.size() + 1, true);
        var section = within(inner, item);
        tables.add(live ? section.live() : section);
      }
    }
    note(key, "tables", "", Setting.NONE, tables.isEmpty() ? Setting.NONE : "" + tables.size());
    return tables;
  }

  List<String> texts(String key, List<String> standard) {
    var value = take(key);
    if (value != null && (!value.isArray() || !value.valueStream().allMatch(JsonNode::isString))) {
      throw wrong(key, "a list of texts such as [\"a\", \"b\"]");
    }
    var texts = value == null ? standard : value.valueStream().map(JsonNode::stringValue).toList();
    note(key, "texts", "", ValueText.of(standard), ValueText.of(texts));
    return texts;
  }

  boolean flag(String key, boolean standard) {
    var value = take(key);
    if (value != null && !value.isBoolean()) {
      throw wrong(key, "true or false");
    }
    var flag = value == null ? standard : value.booleanValue();
    note(key, "flag", "", Boolean.toString(standard), Boolean.toString(flag));
    return flag;
  }

  int count(String key, int standard, int min, int max) {
    var value = optionalCount(key, min, max, Integer.toString(standard));
    return value == null ? standard : value.intValue();
  }

  /** A number without a default. */
  @Nullable Long optionalCount(String key, int min, int max) {
    return optionalCount(key, min, max, Setting.NONE);
  }

  private @Nullable Long optionalCount(String key, int min, int max, String standard) {
    var value = take(key);
    if (value != null
        && (!value.isIntegralNumber()
            || !value.canConvertToLong()
            || value.longValue() < min
            || value.longValue() > max)) {
      throw wrong(key, "a number from " + min + " to " + max);
    }
    note(key, "count", min + " to " + max, standard, value == null ? standard : value.asString());
    return value == null ? null : (Long) value.longValue();
  }

  @Nullable String text(String key, @Nullable String standard) {
    var value = given(key);
    var text = value == null ? standard : value;
    note(key, "text", "", ValueText.quoted(standard), ValueText.quoted(text));
    return text;
  }

  /** A host and a port to listen on, without a default. */
  @Nullable String address(String key) {
    var text = text(key, null);
    if (text != null
        && (!ADDRESS.matcher(text).matches()
            || Integer.parseInt(text.substring(text.lastIndexOf(':') + 1)) > PORT_MAX)) {
      throw wrong(key, "an address and a port such as \"127.0.0.1:7717\"");
    }
    return text;
  }

  <T extends @Nullable Object> T word(String key, Map<String, ? extends T> words, T standard) {
    var value = given(key);
    var allowed = words.keySet().stream().sorted().toList();
    var range = allowed.stream().map(it -> "`" + it + "`").collect(Collectors.joining(", "));
    var usual = ValueText.quoted(word(words, standard));
    note(key, "word", range, usual, value == null ? usual : ValueText.quoted(value));
    if (value == null) {
      return standard;
    }
    var meaning = words.get(value);
    if (meaning == null) {
      throw wrong(key, "one of " + allowed);
    }
    return meaning;
  }

  private static @Nullable String word(Map<String, ?> words, @Nullable Object meaning) {
    return words.entrySet().stream()
        .filter(it -> it.getValue().equals(meaning))
        .map(Map.Entry::getKey)
        .findFirst()
        .orElse(null);
  }

  Duration duration(String key, Duration standard) {
    var time = time(key);
    noteTime(key, "", standard, time == null ? standard : time);
    return time == null ? standard : time;
  }

  Duration duration(String key, Duration standard, Duration min, Duration max) {
    var time = time(key);
    var range = ValueText.of(min) + " to " + ValueText.of(max);
    if (time != null && (time.compareTo(min) < 0 || time.compareTo(max) > 0)) {
      throw wrong(key, "a time from " + range);
    }
    noteTime(key, range, standard, time == null ? standard : time);
    return time == null ? standard : time;
  }

  /** A time written as a number of seconds. */
  Duration seconds(String key, Duration standard, int max) {
    return Duration.ofSeconds(count(key, (int) standard.toSeconds(), 1, max));
  }

  /** A time in whole seconds, without a default. */
  @Nullable Long optionalSeconds(String key) {
    var time = time(key);
    if (time != null && time.toMillis() % 1_000 != 0) {
      throw wrong(key, "a time in whole seconds");
    }
    noteTime(key, "whole seconds", null, time);
    return time == null ? null : (Long) time.toSeconds();
  }

  private @Nullable Duration time(String key) {
    var value = given(key);
    var time = value == null ? null : ValueText.time(value);
    if (value != null && time == null) {
      throw wrong(key, "a time such as \"500ms\", \"30s\", \"24h\" or \"7d\"");
    }
    return time;
  }

  private void noteTime(
      String key, String range, @Nullable Duration standard, @Nullable Duration time) {
    note(
        key,
        "time",
        range,
        standard == null ? Setting.NONE : ValueText.of(standard),
        time == null ? Setting.NONE : ValueText.of(time));
  }

  long bytes(String key, long standard) {
    var size = size(key);
    noteSize(key, "", standard, size == null ? standard : size);
    return size == null ? standard : size;
  }

  /** A size without a default. */
  @Nullable Long optionalBytes(String key, long min) {
    var size = size(key);
    var range = min == 0 ? "" : "at least " + ValueText.ofBytes(min);
    if (size != null && size < min) {
      throw wrong(key, "a size of " + range);
    }
    noteSize(key, range, null, size);
    return size;
  }

  /** A size with a maximum. */
  int smallBytes(String key, int standard, int max) {
    var size = size(key);
    if (size != null && (size < 1 || size > max)) {
      throw wrong(key, "a size from 1 to " + max + " bytes");
    }
    var value = size == null ? standard : size.intValue();
    noteSize(key, "up to " + ValueText.ofBytes(max), (long) standard, (long) value);
    return value;
  }

  private @Nullable Long size(String key) {
    var value = take(key);
    if (value == null) {
      return null;
    }
    var size = ValueText.size(value.isIntegralNumber() ? value.asString() : value.asString(""));
    if (size == null) {
      throw wrong(key, "a size such as \"512KiB\", \"1GiB\", or a number of bytes");
    }
    return size;
  }

  private void noteSize(String key, String range, @Nullable Long standard, @Nullable Long size) {
    note(
        key,
        "size",
        range,
        standard == null ? Setting.NONE : ValueText.ofBytes(standard),
        size == null ? Setting.NONE : ValueText.ofBytes(size));
  }

  /** Must be called after all keys were read; fails on unknown keys. */
  void refuseUnknown() {
    for (var key : node.propertyNames()) {
      if (!known.contains(key)) {
        throw ConfigFile.refused(
            "%s: unknown setting %s; use one of: %s"
                .formatted(
                    source.place(table, key),
                    table.path(key),
                    String.join(", ", known.stream().sorted().toList())));
      }
    }
  }

  RuntimeException wrong(String key, String wanted) {
    return ConfigFile.refused(
        "%s: %s must be %s".formatted(source.place(table, key), table.path(key), wanted));
  }

  /** The same for a part of a value, with the line of the part if it has one. */
  RuntimeException wrongIn(String key, List<String> part, String wanted) {
    var around = new ArrayList<>(List.of(table.path(key)));
    around.addAll(part);
    var last = around.removeLast();
    var place =
        part.isEmpty()
            ? source.place(table, key)
            : source.place(SourceText.Table.of(String.join(".", around)), last);
    return ConfigFile.refused("%s: %s must be %s".formatted(place, table.path(key), wanted));
  }

  private @Nullable String given(String key) {
    var value = take(key);
    if (value != null && !value.isString()) {
      throw wrong(key, "a text in quotes");
    }
    return value == null ? null : value.stringValue();
  }

  private @Nullable JsonNode take(String key) {
    known.add(key);
    return node.get(key);
  }

  private void note(String key, String kind, String range, String standard, String value) {
    var origin =
        node.has(key)
            ? new Setting.Origin.File(source.line(table, key))
            : new Setting.Origin.Standard();
    settings.add(new Setting(table.full(key), kind, range, standard, value, origin, live));
  }
}
