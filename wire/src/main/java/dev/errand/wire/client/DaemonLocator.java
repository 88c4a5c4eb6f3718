package dev.errand.wire.client;

import dev.errand.core.error.ErrandException;
import dev.errand.wire.home.ErrandHome;
import dev.errand.wire.http.DaemonFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.function.Function;

/** Finds the daemon again for each connection, since a restart may change its address. */
interface DaemonLocator {

  /** Fails with an {@code IOException} if no daemon is found. */
  Address locate() throws IOException;

  static DaemonLocator of(ErrandHome home) {
    return () -> new Address.Unix(socket(home));
  }

  /** The default socket, or else the one in the daemon's file. */
  private static Path socket(ErrandHome home) throws IOException {
    if (Files.exists(home.socket())) {
      return home.socket();
    }
    var door = decoded(home, DaemonFile::doorOf);
    if (door.home() != null && !isSame(Path.of(door.home()), home.root())) {
      throw new NoSuchFileException(
          home.daemonFile() + " is of a daemon in another home, " + door.home());
    }
    return Path.of(door.socket());
  }

  private static boolean isSame(Path one, Path other) throws IOException {
    return Files.exists(one) && Files.isSameFile(one, other);
  }

  static DaemonFile daemonFile(ErrandHome home) throws IOException {
    return decoded(home, DaemonFile::decode);
  }

  private static <T> T decoded(ErrandHome home, Function<byte[], T> decode) throws IOException {
    try {
      return decode.apply(Files.readAllBytes(home.daemonFile()));
    } catch (ErrandException e) {
      // Incomplete, or of an unknown version: treated as missing.
      throw new IOException(home.daemonFile() + " cannot be read: " + e.getMessage());
    }
  }
}
