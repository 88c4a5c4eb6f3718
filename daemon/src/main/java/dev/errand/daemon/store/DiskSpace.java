package dev.errand.daemon.store;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/**
 * The free space of one disk, with its lower limits. Output leaves the last 16 MiB free, so a task
 * accepted above {@link #NEW_BYTES_MIN} can store its first output, and an upload that stops there
 * leaves the space for cancels and ends.
 */
public final class DiskSpace {
  /** Below this free space no task and no upload is accepted. */
  public static final long NEW_BYTES_MIN = 32L << 20;

  /** Below this free space a daemon does not start; less than the size of the reserve. */
  public static final long START_BYTES_MIN = 4L << 20;

  /** Asks for the free bytes of a disk. */
  interface Free {
    long bytes() throws IOException;
  }

  private final Path folder;
  private final Free free;

  /** The disk of this folder. */
  public DiskSpace(Path folder) {
    this(folder, () -> Files.getFileStore(folder).getUsableSpace());
  }

  DiskSpace(Path folder, Free free) {
    this.folder = folder;
    this.free = free;
  }

  /** Why new tasks are refused, and what to do; empty while there is enough space. */
  public Optional<String> shortage() {
    return below(NEW_BYTES_MIN)
        .map(it ->
            it
                + ", and no task or upload is accepted below "
                + mib(NEW_BYTES_MIN)
                + "; free some space (errand rm --ended, errand gc), and tasks are accepted again");
  }

  /** Why a daemon cannot start; empty if there is enough space. */
  public Optional<String> startShortage() {
    return below(START_BYTES_MIN)
        .map(it ->
            it
                + ", and a daemon needs "
                + mib(START_BYTES_MIN)
                + " to start; free some space first");
  }

  private Optional<String> below(long bytesMin) {
    try {
      var bytes = free.bytes();
      return bytes < bytesMin
          ? Optional.of("the disk of " + folder + " is full: it has " + mib(bytes) + " free")
          : Optional.empty();
    } catch (IOException e) {
      return Optional.of(
          "the free space of " + folder + " cannot be read (" + e.getMessage() + ")");
    }
  }

  private static String mib(long bytes) {
    return String.format(Locale.ROOT, "%.1f MiB", bytes / (double) (1 << 20)).replace(".0 ", " ");
  }

  /** Fails with INSUFFICIENT_STORAGE if new tasks are refused. */
  public void check() {
    fail(shortage());
  }

  /** Fails with INSUFFICIENT_STORAGE if a daemon cannot start. */
  public void checkStart() {
    fail(startShortage());
  }

  private static void fail(Optional<String> shortage) {
    shortage.ifPresent(it -> {
      throw new ErrandException(ErrorCode.INSUFFICIENT_STORAGE, it);
    });
  }
}
