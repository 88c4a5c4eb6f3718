package dev.errand.wire.client;

import dev.errand.core.error.ErrandException;
import dev.errand.wire.home.ErrandHome;
import dev.errand.wire.http.DaemonFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Finds the daemon, anew for each connection: after a restart it may be elsewhere. */
interface Locator {

  /** Fails with an {@code IOException} where no daemon is to be found now. */
  Address locate() throws IOException;

  static Locator of(ErrandHome home) {
    return () -> new Address.Unix(Path.of(daemonFile(home).socket()));
  }

  static DaemonFile daemonFile(ErrandHome home) throws IOException {
    try {
      return DaemonFile.decode(Files.readAllBytes(home.daemonFile()));
    } catch (ErrandException e) {
      // Half written, or of a program that we do not understand: the same as not being there.
      throw new IOException(home.daemonFile() + " cannot be read: " + e.getMessage());
    }
  }
}
