package dev.errand.daemon.task;

import dev.errand.core.task.Invocation;
import dev.errand.daemon.config.DeclaredTool;
import dev.errand.daemon.schema.ArgumentSchema;
import dev.errand.daemon.schema.WrongSchemaException;
import dev.errand.wire.json.Json;
import dev.errand.wire.json.RequestFields;
import dev.errand.wire.json.SpawnRequest;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The tools that the configuration declares, as tasks: a program that reads its arguments as input.
 */
final class DeclaredTools {
  /**
   * The arguments are passed inside one argument of a shell, and the kernel limits one to 128 KiB.
   */
  private static final int INPUT_BYTES_MAX = 120 * 1024;

  /** The schema of a tool without one; it needs no library. */
  private static final ObjectNode ANY_OBJECT =
      JsonNodeFactory.instance.objectNode().put("type", "object");

  private final Map<String, ArgumentSchema> schemas = new ConcurrentHashMap<>();
  private final Map<String, DeclaredTool> byName = new LinkedHashMap<>();

  DeclaredTools(List<DeclaredTool> all) {
    all.forEach(it -> byName.put(it.name(), it));
  }

  /** Whether there is one of this name. */
  boolean has(String tool) {
    return byName.containsKey(tool);
  }

  /** The request in this body, which may name one of these tools. */
  SpawnRequest request(JsonNode body) {
    var tool = byName.get(body.path("tool").stringValue(""));
    return tool == null || !(body instanceof ObjectNode object)
        ? SpawnRequest.of(body)
        : request(tool, object);
  }

  private SpawnRequest request(DeclaredTool tool, ObjectNode body) {
    var given = body.path("args");
    var arguments = given.isMissingNode() ? JsonNodeFactory.instance.objectNode() : given;
    var input = Json.text(arguments);
    var bytes = input.getBytes(StandardCharsets.UTF_8).length;
    if (bytes > INPUT_BYTES_MAX) {
      throw RequestFields.invalid(
          "args take " + bytes + " bytes; a tool takes at most " + INPUT_BYTES_MAX);
    }
    check(tool, arguments);
    return SpawnRequest.of(asProgram(tool, body))
        .running(tool.name(), new Invocation.Fed(tool.argv(), input));
  }

  private void check(DeclaredTool tool, JsonNode arguments) {
    if (tool.schema().equals(ANY_OBJECT)) {
      if (!arguments.isObject()) {
        throw RequestFields.invalid("args must be of the type \"object\"");
      }
      return;
    }
    schemas.computeIfAbsent(tool.name(), _ -> read(tool)).check("args", arguments);
  }

  private static ArgumentSchema read(DeclaredTool tool) {
    try {
      return ArgumentSchema.of(tool.schema());
    } catch (WrongSchemaException e) {
      throw new IllegalStateException("the configuration took the schema of " + tool.name(), e);
    }
  }

  /** A declared tool accepts all options of other tasks. */
  private static ObjectNode asProgram(DeclaredTool tool, ObjectNode body) {
    var plain = body.deepCopy().put("tool", "exec");
    var args = plain.putObject("args");
    var argv = args.putArray("argv");
    tool.argv().forEach(argv::add);
    if (tool.cwd() != null) {
      args.put("cwd", tool.cwd());
    }
    var timeout = tool.timeout();
    if (timeout != null && !body.hasNonNull("timeout_secs")) {
      plain.put("timeout_secs", timeout.toSeconds());
    }
    return plain;
  }
}
