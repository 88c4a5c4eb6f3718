package dev.errand.wire.home;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static java.nio.file.StandardOpenOption.READ;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Compares the files of artifacts with the digests that they are named by, as many as fit into a
 * bound, in the order of their names.
 */
public final class ArtifactCheck {
  private static final Pattern ID = Pattern.compile("[0-9a-f]{64}");
  private static final int BUFFER_BYTES = 256 * 1024;

  private final Path root;
  private final long bytesMax;
  private final long deadlineNanos;
  private final List<String> damaged = new ArrayList<>();
  private int files;
  private long bytes;

  private ArtifactCheck(Path root, long bytesMax, Duration timeMax) {
    this.root = root;
    this.bytesMax = bytesMax;
    this.deadlineNanos = System.nanoTime() + timeMax.toNanos();
  }

  /**
   * What was found.
   *
   * @param damaged digests of files with other bytes, or that cannot be read
   * @param next the last digest that was looked at where others follow; null after the last of all
   */
  public record Report(int files, long bytes, List<String> damaged, @Nullable String next) {
    public Report {
      damaged = List.copyOf(damaged);
    }
  }

  /**
   * Looks at the artifacts after that digest, or from the first; at one at least.
   *
   * @param artifacts their folder; there may be none yet
   */
  public static Report run(
      Path artifacts, @Nullable String after, long bytesMax, Duration timeMax) {
    var check = new ArtifactCheck(artifacts, bytesMax, timeMax);
    var next = check.look(after == null ? "" : after);
    return new Report(check.files, check.bytes, check.damaged, next);
  }

  private @Nullable String look(String after) {
    @Nullable String last = null;
    for (var shard : names(root)) {
      if (!after.isEmpty() && shard.compareTo(after.substring(0, shard.length())) < 0) {
        continue;
      }
      for (var id : names(root.resolve(shard))) {
        if (!ID.matcher(id).matches() || id.compareTo(after) <= 0) {
          continue;
        }
        if (last != null && (bytes >= bytesMax || System.nanoTime() > deadlineNanos)) {
          return last;
        }
        look(root.resolve(shard).resolve(id), id);
        last = id;
      }
    }
    return null;
  }

  private void look(Path file, String id) {
    try {
      if (!digest(file).equals(id)) {
        damaged.add(id);
      }
      files++;
    } catch (NoSuchFileException _) {
      // Removed meanwhile.
    } catch (IOException _) {
      damaged.add(id);
      files++;
    }
  }

  private String digest(Path file) throws IOException {
    var sha256 = sha256();
    var buffer = new byte[BUFFER_BYTES];
    try (var in = Files.newInputStream(file, READ, NOFOLLOW_LINKS)) {
      for (var count = in.read(buffer); count >= 0; count = in.read(buffer)) {
        sha256.update(buffer, 0, count);
        bytes += count;
      }
    }
    return HexFormat.of().formatHex(sha256.digest());
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  /** In their order; none where there is no such folder. */
  private static List<String> names(Path folder) {
    try (var entries = Files.list(folder)) {
      return entries.map(it -> it.getFileName().toString()).sorted().toList();
    } catch (NoSuchFileException | NotDirectoryException _) {
      return List.of();
    } catch (IOException e) {
      throw new UncheckedIOException(folder + " cannot be listed", e);
    }
  }
}
