package dev.errand.daemon.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.errand.core.task.SessionId;
import dev.errand.daemon.home.PrivateFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;

/** The secrets that deliveries are signed with, which are in no frame: a file for each session. */
final class Secrets {
  private final Path folder;

  Secrets(Path folder) {
    this.folder = folder;
  }

  void put(SessionId sessionId, String secret) {
    try {
      var mode = PosixFilePermissions.fromString("rwx------");
      Files.createDirectories(folder, PosixFilePermissions.asFileAttribute(mode));
      PrivateFile.write(file(sessionId), secret.getBytes(UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException("the secret could not be stored", e);
    }
  }

  Optional<byte[]> get(SessionId sessionId) throws IOException {
    try {
      return Optional.of(Files.readAllBytes(file(sessionId)));
    } catch (NoSuchFileException _) {
      return Optional.empty();
    }
  }

  void remove(SessionId sessionId) {
    try {
      Files.deleteIfExists(file(sessionId));
    } catch (IOException e) {
      throw new UncheckedIOException("the secret could not be removed", e);
    }
  }

  /** The name is the caller's word, so the file has its digest. */
  private Path file(SessionId sessionId) {
    try {
      var digest = MessageDigest.getInstance("SHA-256").digest(sessionId.value().getBytes(UTF_8));
      return folder.resolve(HexFormat.of().formatHex(digest));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
