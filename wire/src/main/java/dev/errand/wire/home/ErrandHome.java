package dev.errand.wire.home;

import java.nio.file.Path;
import java.util.Map;

/** The folder that holds all state of one installation, and the names of what lies in it. */
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

  /** Which home this is, as its journal says too, and roughly how much was in that. */
  public Path identity() {
    return root.resolve("home.json");
  }

  /** What is known to be gone from the journal; there until a person has accepted it. */
  public Path loss() {
    return root.resolve("loss.json");
  }

  /** Room that is given up when the disk is full. */
  public Path reserve() {
    return root.resolve("reserve");
  }

  public Path logs() {
    return root.resolve("logs");
  }

  /** States of terminals, so that their screens are found sooner; nothing needs them. */
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

  /** The tokens that were given out beside that one; digests only. */
  public Path tokens() {
    return root.resolve("tokens.json");
  }

  /** Values of secret variables, a file for each task that has some and is not over. */
  public Path secrets() {
    return root.resolve("secrets");
  }

  /** What deliveries to webhooks are signed with, a file for each session that wants it. */
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

  /** Where the running daemon says how it can be reached. */
  public Path daemonFile() {
    return root.resolve("daemon.json");
  }

  /** Held by the running daemon; empty, and read by nobody. */
  public Path daemonLock() {
    return root.resolve("daemon.lock");
  }

  /** What the daemon has to say while it runs in the background. */
  public Path daemonLog() {
    return root.resolve("daemon.log");
  }

  public Path socket() {
    return SocketPath.of(root.resolve("errand.sock"));
  }
}
