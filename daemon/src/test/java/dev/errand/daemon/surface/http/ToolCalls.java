package dev.errand.daemon.surface.http;

import static dev.errand.daemon.surface.http.Surface.json;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletableFuture;
import tools.jackson.databind.JsonNode;

/** Calls tools over HTTP, with single quotes for double ones. */
final class ToolCalls {
  private final Surface surface;

  ToolCalls(Surface surface) {
    this.surface = surface;
  }

  Wire.Answer call(String tool, String arguments) throws IOException {
    return surface.post("/tools/" + tool, arguments.replace('\'', '"'));
  }

  /** What the tool answered to programs. */
  JsonNode structured(String tool, String arguments) throws IOException {
    return answer(tool, arguments).path("structured");
  }

  /** What the tool answered in words. */
  String text(String tool, String arguments) throws IOException {
    return answer(tool, arguments).path("text").stringValue("");
  }

  JsonNode answer(String tool, String arguments) throws IOException {
    var answer = call(tool, arguments);
    if (answer.status() != 200) {
      throw new AssertionError(json(answer).toString());
    }
    return json(answer);
  }

  /** The same, by someone else who waits for it meanwhile. */
  CompletableFuture<JsonNode> begin(String tool, String arguments) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return answer(tool, arguments);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        },
        Thread::startVirtualThread);
  }

  String refusal(String tool, String arguments) throws IOException {
    return json(call(tool, arguments)).path("detail").stringValue("");
  }
}
