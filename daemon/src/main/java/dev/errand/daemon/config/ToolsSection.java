package dev.errand.daemon.config;

import dev.errand.daemon.schema.ArgumentSchema;
import dev.errand.daemon.schema.WrongSchemaException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Reads the table {@code tools} and the tools declared in it. */
final class ToolsSection {
  private static final int FOREGROUND_SECONDS_MAX = 3_600;
  private static final int TOOLS_MAX = 100;
  private static final int DESCRIPTION_CHARS_MAX = 4_000;
  private static final int REPLY_CHARS_MIN = 1_024;
  private static final int REPLY_CHARS_MAX = 65_536;
  private static final Duration TIMEOUT_MAX = Duration.ofDays(365);
  private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_-]{0,63}");

  /** Names of built-in tools. */
  private static final List<String> TAKEN = List.of("bash", "shell", "exec", "agent");

  private ToolsSection() {}

  static Config.Tools read(Section section, Config.Tools standard) {
    var foreground =
        section.live().seconds("foreground_secs", standard.foreground(), FOREGROUND_SECONDS_MAX);
    var replyChars =
        section
            .live()
            .count("reply_max_chars", standard.replyChars(), REPLY_CHARS_MIN, REPLY_CHARS_MAX);
    var declared = new ArrayList<DeclaredTool>();
    for (var name : section.names()) {
      if (section.isTable(name)) {
        declared.add(tool(section, name));
      }
    }
    if (declared.size() > TOOLS_MAX) {
      throw section.wrong(
          declared.getLast().name(), "left out: there are " + TOOLS_MAX + " already");
    }
    section.refuseUnknown();
    return new Config.Tools(foreground, replyChars, declared);
  }

  private static DeclaredTool tool(Section tools, String name) {
    if (!NAME.matcher(name).matches() || TAKEN.contains(name)) {
      throw tools.wrong(
          name,
          "named by 1 to 64 letters, digits, '_' or '-', beginning with a letter, and not by one of"
              + " "
              + TAKEN);
    }
    var section = tools.section(name);
    var argv = section.texts("argv", List.of());
    if (argv.isEmpty() || argv.getFirst().isEmpty()) {
      throw section.wrong("argv", "a program and its arguments, such as [\"/usr/bin/env\", \"x\"]");
    }
    var description = section.text("description", null);
    if (description == null
        || description.isBlank()
        || description.length() > DESCRIPTION_CHARS_MAX) {
      throw section.wrong(
          "description", "a text of 1 to %d characters".formatted(DESCRIPTION_CHARS_MAX));
    }
    var tool =
        new DeclaredTool(
            name, argv, description, schema(section), timeout(section), section.text("cwd", null));
    section.refuseUnknown();
    return tool;
  }

  private static @Nullable Duration timeout(Section section) {
    var seconds = section.optionalSeconds("timeout");
    if (seconds != null && (seconds < 1 || seconds > TIMEOUT_MAX.toSeconds())) {
      throw section.wrong("timeout", "a time from \"1s\" to \"365d\"");
    }
    return seconds == null ? null : Duration.ofSeconds(seconds);
  }

  /** A table, or a JSON text; without one any object is accepted. */
  private static ObjectNode schema(Section section) {
    var given = section.tree("schema");
    if (given == null) {
      return JsonNodeFactory.instance.objectNode().put("type", "object");
    }
    var schema = given.isString() ? parsed(section, given.stringValue()) : given;
    if (schema instanceof ObjectNode object && isOfObjects(object)) {
      object.put("type", "object");
      checkRules(section, object);
      return object;
    }
    throw section.wrong("schema", "a JSON Schema of an object, as a table or as a text");
  }

  private static void checkRules(Section section, ObjectNode schema) {
    try {
      ArgumentSchema.of(schema);
    } catch (WrongSchemaException e) {
      throw section.wrongIn("schema", e.path(), "a JSON Schema: " + e.getMessage());
    }
  }

  private static boolean isOfObjects(ObjectNode schema) {
    return schema.path("type").stringValue("object").equals("object")
        && (!schema.has("properties") || schema.path("properties").isObject())
        && (!schema.has("required") || schema.path("required").isArray());
  }

  private static @Nullable JsonNode parsed(Section section, String text) {
    try {
      return new JsonMapper().readTree(text);
    } catch (JacksonException e) {
      throw section.wrong("schema", "JSON: " + e.getOriginalMessage());
    }
  }
}
