package dev.errand.daemon.home;

import dev.errand.wire.home.ErrandHome;
import dev.errand.wire.home.PrivateFolder;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The lock of a home against a second daemon; held until closed or until this process ends. */
public final class HomeLock implements AutoCloseable {
  private final FileChannel channel;

  private HomeLock(FileChannel channel) {
    this.channel = channel;
  }

  /** Creates the folder if needed, refuses one that other users can change, and takes the lock. */
  public static HomeLock take(ErrandHome home) throws IOException {
    PrivateFolder.make(home.root());
    var problem = PrivateFolder.problem(home.root());
    if (problem.isPresent()) {
      throw new HomeRefused(problem.get());
    }
    checkOwnFiles(home);
    var channel =
        FileChannel.open(
            home.daemonLock(),
            Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    if (tryLock(channel) == null) {
      channel.close();
      throw new HomeRefused("another daemon runs in %s; see: errand doctor".formatted(home.root()));
    }
    return new HomeLock(channel);
  }

  /** A link would write secrets elsewhere, and remove files there. */
  private static void checkOwnFiles(ErrandHome home) throws HomeRefused {
    for (var file :
        List.of(
            home.token(),
            home.tokens(),
            home.identity(),
            home.loss(),
            home.daemonFile(),
            home.daemonLock(),
            home.daemonLog())) {
      checkNoLink(file);
      if (Files.isDirectory(file)) {
        throw new HomeRefused(file + " is a folder and must be a file; remove it");
      }
      // Opening a pipe would block.
      if (Files.exists(file) && !Files.isRegularFile(file)) {
        throw new HomeRefused(file + " is not a regular file; remove it");
      }
    }
    for (var own :
        List.of(
            home.hosts(),
            home.secrets(),
            home.nativeLibraries(),
            home.logs(),
            home.artifacts(),
            home.builds(),
            home.screens())) {
      checkNoLink(own);
      if (Files.exists(own) && !Files.isDirectory(own)) {
        throw new HomeRefused(own + " is a file and must be a folder; move it away");
      }
    }
  }

  private static void checkNoLink(Path own) throws HomeRefused {
    if (Files.isSymbolicLink(own)) {
      throw new HomeRefused(own + " is a link; replace it with its target, or remove it");
    }
  }

  private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException e) {
      return null;
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
