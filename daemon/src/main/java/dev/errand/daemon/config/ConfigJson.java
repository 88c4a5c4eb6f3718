package dev.errand.daemon.config;

import dev.errand.wire.json.Json;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Settings and their changes as JSON. Values are written as in the file, so they are JSON too. */
public final class ConfigJson {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private ConfigJson() {}

  /** What is in force. */
  public static ObjectNode of(Configuration.Listing listing) {
    var json = NODES.objectNode().put("file", listing.file().toString());
    var settings = json.putArray("settings");
    listing.settings().forEach(it -> add(settings, it.setting(), it.afterRestart()));
    return json;
  }

  /** The settings of a daemon that starts with this file. */
  public static ObjectNode of(Path file, List<Setting> all) {
    var json = NODES.objectNode().put("file", file.toString());
    var settings = json.putArray("settings");
    all.forEach(it -> add(settings, it, null));
    return json;
  }

  private static void add(ArrayNode settings, Setting setting, @Nullable String afterRestart) {
    var json = settings.addObject();
    json.put("key", setting.key()).put("kind", setting.kind());
    json.set("value", value(setting.value()));
    json.set("default", value(setting.standard()));
    if (!setting.range().isEmpty()) {
      json.put("range", setting.range().replace("`", ""));
    }
    switch (setting.origin()) {
      case Setting.Origin.Standard() -> json.put("origin", "default");
      case Setting.Origin.File(var line) -> json.put("origin", "file").put("line", line);
      case Setting.Origin.CommandLine() -> json.put("origin", "command_line");
    }
    json.put("reload", setting.live());
    if (afterRestart != null) {
      json.set("after_restart", value(afterRestart));
    }
  }

  public static ObjectNode of(Configuration.Reloaded reloaded) {
    var json = NODES.objectNode();
    changes(json.putArray("changed"), reloaded.changed());
    changes(json.putArray("after_restart"), reloaded.afterRestart());
    return json;
  }

  private static void changes(ArrayNode array, List<Configuration.Change> changes) {
    for (var change : changes) {
      var json = array.addObject().put("key", change.key());
      json.set("before", value(change.before()));
      json.set("after", value(change.after()));
    }
  }

  private static JsonNode value(String text) {
    return text.equals(Setting.NONE)
        ? NODES.nullNode()
        : Json.read(text.getBytes(StandardCharsets.UTF_8));
  }
}
