package dev.errand.daemon.artifact;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static java.nio.file.StandardOpenOption.READ;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.daemon.compute.Share;
import dev.errand.daemon.store.DiskSpace;
import dev.errand.daemon.store.Durability;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * The files of all artifacts: {@code <first two digits>/<sha256>} below the root, mode 0600 in
 * folders of mode 0700. A file gets its name only when it is complete, and never changes
 * afterwards. Thread-safe.
 */
public final class ArtifactStore {
  private static final Pattern ID = Pattern.compile("[0-9a-f]{64}");
  private static final int SHARD_LENGTH = 2;

  /** How much of an upload is written between two checks of the free space. */
  private static final long SPACE_CHECK_BYTES = 1 << 20;

  private final Path root;
  private final Durability durability;
  private final InstantSource clock;
  private final DiskSpace space;

  /**
   * Held while a file is named, renewed or deleted, so that a clean-up does not delete content that
   * was just kept again.
   */
  private final ReentrantLock naming = new ReentrantLock();

  /** Creates the root folder if it is missing. */
  public ArtifactStore(Path root, Durability durability, InstantSource clock) {
    this.root = root;
    this.durability = durability;
    this.clock = clock;
    this.space = new DiskSpace(root);
    try {
      PrivateFolders.create(root);
    } catch (IOException e) {
      throw DiskFailures.of("cannot create the folder of artifacts", e);
    }
  }

  /** Whether this text is an artifact id; no other text is ever part of a path. */
  public static boolean isId(String text) {
    return ID.matcher(text).matches();
  }

  /**
   * Keeps a finished file under its digest, as a hard link. The caller guarantees the digest; if
   * hard links are not possible, the file is copied and checked.
   */
  public void link(Path file, String sha256) {
    var target = path(sha256);
    try {
      if (!Files.isRegularFile(file, NOFOLLOW_LINKS)) {
        throw new NoSuchFileException(file.toString());
      }
      makeFolder(sha256);
      if (tryLink(file, target)) {
        syncFolder(sha256);
      } else {
        assemble(List.of(file), sha256);
      }
    } catch (IOException e) {
      throw DiskFailures.of("cannot keep an artifact", e);
    }
  }

  /** False if no hard link is possible; the copy is made without the lock. */
  private boolean tryLink(Path file, Path target) throws IOException {
    naming.lock();
    try {
      if (!renewIfThere(target)) {
        Files.createLink(target, file);
        // The log may not have been written for long before its task ended.
        renew(target);
      }
      return true;
    } catch (NoSuchFileException e) {
      throw e;
    } catch (FileSystemException | UnsupportedOperationException _) {
      // Another file system, too many links, or no hard links at all.
      return false;
    } finally {
      naming.unlock();
    }
  }

  /** Whether the content exists already; its time is then renewed. */
  private boolean renewIfThere(Path target) throws IOException {
    if (!Files.isRegularFile(target, NOFOLLOW_LINKS)) {
      return false;
    }
    renew(target);
    return true;
  }

  /** Clean-up spares young files, by their time. */
  private void renew(Path target) throws IOException {
    Files.setLastModifiedTime(target, FileTime.from(clock.instant()));
  }

  /**
   * Stores the whole input. More than {@code maxBytes} is refused with TOO_LARGE; an IOException is
   * a failure of the input. A failed upload leaves nothing behind. It never uses the disk space
   * reserved for cancels and ends.
   */
  public StoredArtifact put(Share share, InputStream input, long maxBytes)
      throws IOException, InterruptedException {
    try (var incoming = incoming()) {
      var buffer = new byte[ArtifactUpload.BUFFER_BYTES];
      var checkAt = 0L;
      var pace = share;
      for (var count = input.readNBytes(buffer, 0, buffer.length);
          count > 0;
          count = input.readNBytes(buffer, 0, buffer.length)) {
        if (incoming.bytes() + count > maxBytes) {
          throw new ErrandException(
              ErrorCode.TOO_LARGE, "an artifact has at most " + maxBytes + " bytes here");
        }
        if (incoming.bytes() >= checkAt) {
          space.check();
          checkAt = incoming.bytes() + SPACE_CHECK_BYTES;
        }
        var part = count;
        pace.run(_ -> {
          incoming.write(buffer, part);
          return true;
        });
        pace = share.admitted();
      }
      var sha256 = incoming.sha256();
      keep(incoming, sha256);
      return new StoredArtifact(sha256, incoming.bytes());
    }
  }

  /**
   * Stores the concatenated bytes of these files under the given digest; fails if the digest
   * differs.
   */
  public void assemble(List<Path> parts, String sha256) {
    if (renewIfKept(sha256)) {
      return;
    }
    try (var incoming = incoming()) {
      for (var part : parts) {
        append(incoming, part);
      }
      if (!incoming.sha256().equals(sha256)) {
        throw new ErrandException(
            ErrorCode.ARTIFACT_DAMAGED,
            "the bytes of artifact " + sha256 + " do not match its digest");
      }
      keep(incoming, sha256);
    }
  }

  private boolean renewIfKept(String sha256) {
    var target = path(sha256);
    naming.lock();
    try {
      return renewIfThere(target);
    } catch (IOException e) {
      throw DiskFailures.of("cannot keep an artifact", e);
    } finally {
      naming.unlock();
    }
  }

  private static void append(ArtifactUpload incoming, Path part) {
    var buffer = new byte[ArtifactUpload.BUFFER_BYTES];
    try (var input = Files.newInputStream(part, READ, NOFOLLOW_LINKS)) {
      for (var count = input.read(buffer); count >= 0; count = input.read(buffer)) {
        incoming.write(buffer, count);
      }
    } catch (IOException e) {
      throw DiskFailures.of("cannot read a part of an artifact", e);
    }
  }

  private ArtifactUpload incoming() {
    return ArtifactUpload.create(root);
  }

  /**
   * If the name exists, the content is the same, so the older file stays: it may be open, or a hard
   * link of a log.
   */
  private void keep(ArtifactUpload incoming, String sha256) {
    var target = path(sha256);
    try {
      if (durability == Durability.FULL) {
        incoming.sync();
      }
      makeFolder(sha256);
      naming.lock();
      try {
        if (!renewIfThere(target)) {
          incoming.moveTo(target);
        }
      } finally {
        naming.unlock();
      }
      syncFolder(sha256);
    } catch (IOException e) {
      throw DiskFailures.of("cannot keep an artifact", e);
    }
  }

  /** Opens the artifact, if it exists; an invalid id does not exist. */
  public Optional<FileChannel> open(String sha256) {
    if (!isId(sha256)) {
      return Optional.empty();
    }
    var path = path(sha256);
    // A symbolic link or a pipe is no artifact; a pipe would block the reader.
    if (!Files.isDirectory(folder(sha256), NOFOLLOW_LINKS)
        || !Files.isRegularFile(path, NOFOLLOW_LINKS)) {
      return Optional.empty();
    }
    try {
      return Optional.of(FileChannel.open(path, READ, NOFOLLOW_LINKS));
    } catch (NoSuchFileException _) {
      return Optional.empty();
    } catch (IOException e) {
      throw DiskFailures.of("cannot open artifact " + sha256, e);
    }
  }

  /** Deletes the artifact; open readers can finish. False if it did not exist. */
  public boolean delete(String sha256) {
    try {
      return Files.deleteIfExists(path(sha256));
    } catch (IOException e) {
      throw DiskFailures.of("cannot delete artifact " + sha256, e);
    }
  }

  /**
   * Deletes every artifact that is older than that time and not referenced; returns how many. A
   * younger one may be referenced by a frame that is not committed yet.
   */
  public int deleteUnreferenced(long beforeMs, Predicate<String> isReferenced) {
    var count = 0;
    try (var shards = Files.newDirectoryStream(root, it -> Files.isDirectory(it, NOFOLLOW_LINKS))) {
      for (var shard : shards) {
        count += deleteUnreferenced(shard, beforeMs, isReferenced);
      }
      return count;
    } catch (IOException e) {
      throw DiskFailures.of("cannot clean up the artifacts", e);
    }
  }

  private int deleteUnreferenced(Path shard, long beforeMs, Predicate<String> isReferenced)
      throws IOException {
    var count = 0;
    try (var files = Files.newDirectoryStream(shard)) {
      for (var file : files) {
        var id = file.getFileName().toString();
        if (isId(id)
            && isOlder(file, beforeMs)
            && !isReferenced.test(id)
            && deleteOlder(file, beforeMs)) {
          count++;
        }
      }
    }
    return count;
  }

  /** Checks the time again, since the content may have been kept again since it was found. */
  private boolean deleteOlder(Path file, long beforeMs) throws IOException {
    naming.lock();
    try {
      return isOlder(file, beforeMs) && Files.deleteIfExists(file);
    } finally {
      naming.unlock();
    }
  }

  private static boolean isOlder(Path file, long beforeMs) throws IOException {
    return Files.getLastModifiedTime(file, NOFOLLOW_LINKS).toMillis() < beforeMs;
  }

  /** Removes partial files after a crash; must be called before the first put. */
  public int sweepTemp() {
    var count = 0;
    try (var files = Files.newDirectoryStream(root, ArtifactUpload.GLOB)) {
      for (var file : files) {
        if (Files.deleteIfExists(file)) {
          count++;
        }
      }
      return count;
    } catch (IOException e) {
      throw DiskFailures.of("cannot clean up the folder of artifacts", e);
    }
  }

  private void makeFolder(String sha256) throws IOException {
    if (PrivateFolders.create(folder(sha256)) && durability == Durability.FULL) {
      PrivateFolders.sync(root);
    }
  }

  /** Also if the name existed: its creator may not have synced it yet. */
  private void syncFolder(String sha256) throws IOException {
    if (durability == Durability.FULL) {
      PrivateFolders.sync(folder(sha256));
    }
  }

  private Path path(String sha256) {
    return folder(sha256).resolve(sha256);
  }

  private Path folder(String sha256) {
    if (!isId(sha256)) {
      throw new IllegalArgumentException("an artifact id is a SHA-256 in lower-case hex digits");
    }
    return root.resolve(sha256.substring(0, SHARD_LENGTH));
  }
}
