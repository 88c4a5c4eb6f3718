package dev.errand.daemon.surface.http;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The routes as the sources of the surface declare them, so that none is missed that is offered.
 */
final class RouteSources {
  private static final Path FOLDER =
      Path.of(System.getProperty("errand.root", ".."))
          .resolve("daemon/src/main/java/dev/errand/daemon/surface/http");
  private static final Pattern ROUTE =
      Pattern.compile("Route\\.of\\(\\s*[\\w.()]+,\\s*\"([A-Z]+)\",\\s*\"([^\"]+)\"");

  private RouteSources() {}

  /** Each as its method and its path. */
  static List<String> all() throws IOException {
    try (var files = Files.list(FOLDER)) {
      var sources = files.filter(it -> it.toString().endsWith(".java")).toList();
      var text = new StringBuilder();
      for (var it : sources) {
        text.append(Files.readString(it));
      }
      return ROUTE.matcher(text).results().map(it -> it.group(1) + " " + it.group(2)).toList();
    }
  }
}
