package dev.errand.daemon.home;

import dev.errand.wire.home.ErrandHome;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The right to be the one daemon of a home; held until closed or until this process dies. */
public final class HomeLock implements AutoCloseable {
  private static final Set<PosixFilePermission> OWNER_ONLY =
      PosixFilePermissions.fromString("rwx------");

  private final FileChannel channel;

  private HomeLock(FileChannel channel) {
    this.channel = channel;
  }

  /** Makes the folder if need be, refuses one that others could touch, and takes the lock. */
  public static HomeLock take(ErrandHome home) throws IOException {
    Files.createDirectories(home.root(), PosixFilePermissions.asFileAttribute(OWNER_ONLY));
    check(home.root());
    var channel =
        FileChannel.open(
            home.daemonLock(),
            Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    if (tryLock(channel) == null) {
      channel.close();
      throw new HomeRefused(
          "another daemon runs on %s; see it with: errand doctor".formatted(home.root()));
    }
    return new HomeLock(channel);
  }

  private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException e) {
      return null;
    }
  }

  private static void check(Path root) throws IOException {
    var attributes = Files.readAttributes(root, PosixFileAttributes.class);
    var user = System.getProperty("user.name", "");
    if (!attributes.owner().getName().equals(user)) {
      throw new HomeRefused(
          "%s belongs to %s, not to %s; use another ERRAND_HOME"
              .formatted(root, attributes.owner().getName(), user));
    }
    var wider = EnumSet.copyOf(attributes.permissions());
    wider.removeAll(OWNER_ONLY);
    if (!wider.isEmpty()) {
      throw new HomeRefused(
          "%s is open to others (%s); close it with: chmod 700 %s"
              .formatted(root, PosixFilePermissions.toString(attributes.permissions()), root));
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
