package dev.errand.daemon;

import dev.errand.core.time.Time;
import dev.errand.daemon.config.Config;
import dev.errand.daemon.config.Configuration;
import dev.errand.wire.home.ErrandHome;

/**
 * The start parameters of the daemon, and the list of open parts.
 *
 * @param replacements none but in tests
 */
record Startup(
    ErrandHome home,
    Configuration configuration,
    StartMode mode,
    Build build,
    Time clock,
    OpenParts open,
    Replacements replacements) {

  /** The current settings; a reload may change them. */
  Config config() {
    return configuration.get();
  }

  boolean readOnly() {
    return mode == StartMode.READ_ONLY;
  }

  <T extends AutoCloseable> T opened(String name, T part) {
    return open.add(name, part);
  }
}
