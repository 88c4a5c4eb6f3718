package dev.errand.cli.command;

import dev.errand.cli.launch.DaemonLauncher;
import dev.errand.cli.launch.Installation;
import dev.errand.cli.terminal.Console;
import dev.errand.wire.home.ErrandHome;
import java.time.InstantSource;
import java.util.Map;

/**
 * What every command may use: the streams, the caller's environment, and the connection to the
 * daemon.
 */
public record Context(
    Console console,
    Map<String, String> environment,
    ErrandHome home,
    Installation installation,
    DaemonLauncher daemon,
    InstantSource clock) {

  boolean debug() {
    return environment.getOrDefault("ERRAND_DEBUG", "").equals("1");
  }

  /** Names only: an environment holds keys and tokens. */
  @Override
  public String toString() {
    return "Context" + environment.keySet();
  }
}
