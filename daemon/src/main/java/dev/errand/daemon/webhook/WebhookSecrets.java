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
 * The secrets that deliveries are signed with, which are in no frame: a file for each setting of a
 * webhook, under a name of its own, so that a new one is there before the old one goes.
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

  /** One that nobody has guessed yet. */
  static String fresh() {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(random(SECRET_BYTES));
  }

  private static byte[] random(int bytes) {
    var random = new byte[bytes];
    RANDOM.nextBytes(random);
    return random;
  }

  /** Stores it, and returns the name by which it is found again. */
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
          "the secret could not be stored, so the webhook is as it was; free some space, then try"
              + " again",
          e);
    }
  }

  byte[] get(String name) throws IOException {
    return Files.readAllBytes(folder.resolve(name));
  }

  /** One that stays is swept at the next start. */
  void remove(String name) {
    try {
      Files.deleteIfExists(folder.resolve(name));
    } catch (IOException e) {
      log.warn("a secret that signs nothing any more could not be removed", e);
    }
  }

  /** Removes what a crash or a failure has left behind. */
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
      log.warn("the secrets of webhooks could not be swept", e);
    }
  }
}
