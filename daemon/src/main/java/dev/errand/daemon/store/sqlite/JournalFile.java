package dev.errand.daemon.store.sqlite;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.regex.Pattern;

/** The file of a journal and its companion files, while no journal is open. */
public final class JournalFile {
  private static final List<String> DATABASE = List.of("", "-wal", "-shm");

  private static final List<String> ALL = List.of("", "-wal", "-shm", ".suspect", ".mended");

  private static final Pattern ASIDE =
      Pattern.compile(".*\\.(aside|damaged)-\\d+-\\d+-\\d+T[\\d.]+Z");

  private JournalFile() {}

  /**
   * Whether there is no journal to open. Must be checked first: opening would create an empty file,
   * and SQLite then deletes the log next to it, which may contain the only copy of the data.
   */
  public static boolean isGone(Path file) throws IOException {
    return !Files.exists(Rebuild.mended(file)) && (!Files.exists(file) || Files.size(file) == 0);
  }

  /** Renames the journal and its companion files, if there are any. */
  public static void moveAside(Path file, Instant now) throws IOException {
    moveAside(file, "aside", ALL, now);
    sync(file);
  }

  /**
   * Returns the new name. The log and its index are renamed too, since they belong to this file.
   */
  static Path moveDamaged(Path file, Instant now) throws IOException {
    return moveAside(file, "damaged", DATABASE, now);
  }

  /** Whether this is a renamed journal. */
  public static boolean isAside(Path file) {
    return ASIDE.matcher(file.getFileName().toString()).matches();
  }

  private static Path moveAside(Path file, String why, List<String> parts, Instant now)
      throws IOException {
    var time = now.truncatedTo(ChronoUnit.MILLIS).toString().replace(":", "");
    var aside = Path.of(file + "." + why + "-" + time);
    for (var part : parts) {
      var from = Path.of(file + part);
      if (Files.exists(from)) {
        Files.move(from, Path.of(aside + part), ATOMIC_MOVE);
      }
    }
    return aside;
  }

  static void sync(Path file) throws IOException {
    try (var folder = FileChannel.open(file.toAbsolutePath().getParent())) {
      folder.force(true);
    }
  }
}
