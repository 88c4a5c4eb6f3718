package dev.errand.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Texts that were written once and stay as they are. */
public final class Golden {
  private Golden() {}

  /** The file {@code golden/NAME.json} beside the class. */
  public static String text(Class<?> beside, String name) {
    try (var in = beside.getResourceAsStream("golden/" + name + ".json")) {
      assertThat(in).as("a golden file for %s", name).isNotNull();
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** As a later build may write it: each object has a field more, but for the environment. */
  public static String grown(String text) {
    var json = JsonMapper.shared().readTree(text);
    grow(json);
    return json.toString();
  }

  private static void grow(JsonNode json) {
    for (var child : json.properties()) {
      if (!child.getKey().equals("env")) {
        grow(child.getValue());
      }
    }
    if (json.isArray()) {
      json.forEach(Golden::grow);
    }
    if (json instanceof ObjectNode object) {
      object.putObject("from_a_later_build").put("n", 1);
    }
  }
}
