package dev.errand.cli.launch;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The build that runs here: its version, the digest that names it, and its script. The last two are
 * absent where the classes were started by hand.
 */
public record Installation(String version, @Nullable String build, @Nullable Path run) {

  /** As the script says in system properties. */
  public static Installation here() {
    var run = System.getProperty("errand.run");
    var version = Installation.class.getPackage().getImplementationVersion();
    return new Installation(
        version == null ? "unreleased" : version,
        System.getProperty("errand.build"),
        run == null ? null : Path.of(run));
  }
}
