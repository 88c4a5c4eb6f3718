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
 * The lock that a living host holds. Only a free lock proves that the host is dead: not a pid, not
 * a refused connection, not silence.
 *
 * <p>The file is empty and must not be opened to be read: in Java, closing any other channel on it
 * would release the lock of the same process.
 */
public final class HostLock implements AutoCloseable {
  private static final String NAME = "lock";

  private final FileChannel channel;

  private HostLock(FileChannel channel) {
    this.channel = channel;
  }

  /** Takes the lock of a new host. The file gets its name only when it is locked. */
  static HostLock take(Path hostFolder) throws IOException {
    var lock = hostFolder.resolve(NAME);
    if (Files.exists(lock)) {
      throw new IOException("a host was already started in " + hostFolder);
    }
    var fresh = hostFolder.resolve(NAME + "." + ProcessHandle.current().pid());
    var mode = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    var channel = FileChannel.open(fresh, Set.of(CREATE, WRITE), mode);
    if (channel.tryLock() == null) {
      channel.close();
      throw new IOException("another process has locked " + fresh);
    }
    Files.move(fresh, lock, StandardCopyOption.ATOMIC_MOVE);
    return new HostLock(channel);
  }

  /**
   * True only when the host's lock is free. A folder without a lock belongs to a host that is still
   * starting, or that failed before it took the lock; it counts as alive. Not to be called in the
   * host itself.
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
