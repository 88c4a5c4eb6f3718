package dev.errand.wire.home;

import java.nio.file.Path;
import java.util.Map;

/** The folder with all state of one installation, and the names of the files in it. */
public record ErrandHome(Path root) {

  /** {@code ERRAND_HOME}, or {@code errand} under the XDG state home. */
  public static ErrandHome of(Map<String, String> environment) {
    var given = environment.getOrDefault("ERRAND_HOME", "");
    if (!given.isEmpty()) {
      return new ErrandHome(Path.of(given).toAbsolutePath().normalize());
    }
    var state = environment.getOrDefault("XDG_STATE_HOME", "");
    var base = state.isEmpty() ? Path.of(userHome(environment), ".local", "state") : Path.of(state);
    return new ErrandHome(base.resolve("errand").toAbsolutePath().normalize());
  }

  private static String userHome(Map<String, String> environment) {
    var home = environment.getOrDefault("HOME", "");
    return home.isEmpty() ? System.getProperty("user.home", "/") : home;
  }

  public Path database() {
    return root.resolve("errand.db");
  }

  /** The id of this home, which its journal has too, and roughly the size of the journal. */
  public Path identity() {
    return root.resolve("home.json");
  }

  /** The known loss of the journal, until a person accepts it. */
  public Path loss() {
    return root.resolve("loss.json");
  }

  /** The disk reserve, which is deleted when the disk is full. */
  public Path reserve() {
    return root.resolve("reserve");
  }

  public Path logs() {
    return root.resolve("logs");
  }

  /** A cache of terminal states, to compute screens faster. */
  public Path screens() {
    return root.resolve("screens");
  }

  public Path artifacts() {
    return root.resolve("artifacts");
  }

  public Path hosts() {
    return root.resolve("hosts");
  }

  public Path builds() {
    return root.resolve("builds");
  }

  public Path token() {
    return root.resolve("token");
  }

  /** The other tokens; digests only. */
  public Path tokens() {
    return root.resolve("tokens.json");
  }

  /** Values of secret variables, a file for each task that has some and is not over. */
  public Path secrets() {
    return root.resolve("secrets");
  }

  /** The signing secrets of webhooks, a file for each. */
  public Path webhookSecrets() {
    return secrets().resolve("webhooks");
  }

  /** Libraries that a daemon has unpacked for itself. */
  public Path nativeLibraries() {
    return root.resolve("native");
  }

  public Path config() {
    return root.resolve("config.toml");
  }

  /** The file with the addresses of the running daemon. */
  public Path daemonFile() {
    return root.resolve("daemon.json");
  }

  /** The lock file of the running daemon; empty. */
  public Path daemonLock() {
    return root.resolve("daemon.lock");
  }

  /** The log of a daemon in the background. */
  public Path daemonLog() {
    return root.resolve("daemon.log");
  }

  public Path socket() {
    return SocketPath.of(root.resolve("errand.sock"));
  }
}
