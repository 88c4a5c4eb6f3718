package dev.errand.daemon;

import dev.errand.core.time.Time;
import dev.errand.daemon.config.Config;
import dev.errand.daemon.config.Configuration;
import dev.errand.wire.home.ErrandHome;

/** What the daemon was started with, and where its parts say what has to be closed. */
record Startup(
    ErrandHome home,
    Configuration configuration,
    StartMode mode,
    Build build,
    Time clock,
    OpenParts open) {

  /** The settings as they are now; a reload may change them. */
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
