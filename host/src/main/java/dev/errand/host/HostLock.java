package dev.errand.host;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * The lock that says that a host lives. Only its being free proves a death: not a pid, not a
 * refused connection, not silence.
 *
 * <p>The file is empty and nobody reads it: in Java the closing of any other channel on it would
 * drop the lock of the same process.
 */
public final class HostLock implements AutoCloseable {
  private static final String NAME = "lock";

  private final FileChannel channel;

  private HostLock(FileChannel channel) {
    this.channel = channel;
  }

  /** Takes the lock of a new host. It appears under its name only when it is held already. */
  static HostLock take(Path hostFolder) throws IOException {
    var lock = hostFolder.resolve(NAME);
    if (Files.exists(lock)) {
      throw new IOException("a host was started in " + hostFolder + " before");
    }
    var fresh = hostFolder.resolve(NAME + "." + ProcessHandle.current().pid());
    var mode = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    var channel = FileChannel.open(fresh, Set.of(CREATE, WRITE), mode);
    if (channel.tryLock() == null) {
      channel.close();
      throw new IOException("another process holds " + fresh);
    }
    Files.move(fresh, lock, StandardCopyOption.ATOMIC_MOVE);
    return new HostLock(channel);
  }

  /**
   * True only when the host's lock is free. A folder without a lock belongs to a host that is just
   * starting, or that never got so far; it counts as alive. For other processes than the host.
   */
  public static boolean isDead(Path hostFolder) throws IOException {
    try (var channel = FileChannel.open(hostFolder.resolve(NAME), WRITE);
        var lock = channel.tryLock()) {
      return lock != null;
    } catch (OverlappingFileLockException _) {
      return false;
    } catch (NoSuchFileException _) {
      return !Files.exists(hostFolder);
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
