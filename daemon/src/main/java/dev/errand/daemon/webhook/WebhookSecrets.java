package dev.errand.daemon.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.daemon.home.PrivateFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The signing secrets of webhooks, which are in no frame: one file with its own name for each
 * setting, so that a new one exists before the old one is removed.
 */
final class WebhookSecrets {
  private static final Logger log = LoggerFactory.getLogger(WebhookSecrets.class);
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final int SECRET_BYTES = 32;
  private static final int NAME_BYTES = 16;

  private final Path folder;

  WebhookSecrets(Path folder) {
    this.folder = folder;
  }

  /** A new random secret. */
  static String fresh() {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(random(SECRET_BYTES));
  }

  private static byte[] random(int bytes) {
    var random = new byte[bytes];
    RANDOM.nextBytes(random);
    return random;
  }

  /** Stores it and returns its file name. */
  String put(String secret) {
    var name = HexFormat.of().formatHex(random(NAME_BYTES));
    try {
      var mode = PosixFilePermissions.fromString("rwx------");
      Files.createDirectories(folder, PosixFilePermissions.asFileAttribute(mode));
      PrivateFile.write(folder.resolve(name), secret.getBytes(UTF_8));
      return name;
    } catch (IOException e) {
      remove(name);
      throw new ErrandException(
          ErrorCode.INSUFFICIENT_STORAGE,
          "the secret could not be stored, so the webhook is unchanged; free some space, then try"
              + " again",
          e);
    }
  }

  byte[] get(String name) throws IOException {
    return Files.readAllBytes(folder.resolve(name));
  }

  /** If this fails, the next start removes it. */
  void remove(String name) {
    try {
      Files.deleteIfExists(folder.resolve(name));
    } catch (IOException e) {
      log.warn("an unused webhook secret could not be removed", e);
    }
  }

  /** Removes files left by a crash or a failure. */
  void removeAllBut(Set<String> names) {
    if (!Files.isDirectory(folder)) {
      return;
    }
    try (var files = Files.list(folder)) {
      files
          .map(it -> it.getFileName().toString())
          .filter(it -> !names.contains(it))
          .forEach(this::remove);
    } catch (IOException e) {
      log.warn("unused webhook secrets could not be removed", e);
    }
  }
}
