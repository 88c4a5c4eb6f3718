package dev.errand.daemon.config;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * A tool that the configuration declares: a program that gets the arguments of a call as JSON on
 * its standard input.
 *
 * @param schema the JSON Schema of its arguments
 * @param timeout how long a call may take; null: as long as it takes
 * @param cwd the folder that it runs in; null: the home of the user
 */
public record DeclaredTool(
    String name,
    List<String> argv,
    String description,
    ObjectNode schema,
    @Nullable Duration timeout,
    @Nullable String cwd) {

  public DeclaredTool {
    argv = List.copyOf(argv);
  }
}
