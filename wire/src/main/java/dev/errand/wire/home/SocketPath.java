package dev.errand.wire.home;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Chooses a path that the kernel takes for a Unix socket: it refuses those over 107 bytes. */
public final class SocketPath {
  private static final int PATH_BYTES_MAX = 100;
  private static final int NAME_BYTES = 16;

  private SocketPath() {}

  /** The path itself, or a short one in the runtime directory if it is too long. */
  public static Path of(Path wanted) {
    if (bytes(wanted).length <= PATH_BYTES_MAX) {
      return wanted;
    }
    return runtimeDirectory().resolve(shortName(wanted) + ".sock");
  }

  private static Path runtimeDirectory() {
    var given = System.getenv("XDG_RUNTIME_DIR");
    if (given != null && !given.isEmpty() && given.length() < PATH_BYTES_MAX / 2) {
      return Path.of(given, "errand");
    }
    return Path.of("/tmp", "errand-" + System.getProperty("user.name", "user"));
  }

  private static String shortName(Path wanted) {
    try {
      var digest = MessageDigest.getInstance("SHA-256").digest(bytes(wanted.toAbsolutePath()));
      return HexFormat.of().formatHex(digest, 0, NAME_BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  private static byte[] bytes(Path path) {
    return path.toString().getBytes(StandardCharsets.UTF_8);
  }
}
