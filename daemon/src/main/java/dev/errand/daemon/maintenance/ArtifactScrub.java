package dev.errand.daemon.maintenance;

import dev.errand.wire.home.ArtifactCheck;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads all artifacts in an endless cycle, a part at a time, and compares them with their digests,
 * to find disk damage early. A restart begins from the first artifact.
 */
public final class ArtifactScrub {
  private static final Logger log = LoggerFactory.getLogger(ArtifactScrub.class);

  /** The size of one step; at one step an hour, 20 GiB take a bit more than three days. */
  private static final long STEP_BYTES_MAX = 256L << 20;

  private static final Duration STEP_TIME_MAX = Duration.ofSeconds(30);

  private final Path artifacts;
  private final long stepBytesMax;
  private final Set<String> damaged = new ConcurrentSkipListSet<>();
  private @Nullable String after;

  public ArtifactScrub(Path artifacts) {
    this(artifacts, STEP_BYTES_MAX);
  }

  ArtifactScrub(Path artifacts, long stepBytesMax) {
    this.artifacts = artifacts;
    this.stepBytesMax = stepBytesMax;
  }

  /** The number of artifacts that were damaged when last read. */
  public int damaged() {
    return damaged.size();
  }

  /** Reads the next part. One call at a time. */
  void step() {
    var from = after == null ? "" : after;
    var report = ArtifactCheck.run(artifacts, after, stepBytesMax, STEP_TIME_MAX);
    var to = report.next();
    after = to;
    // Earlier damage in this part was removed or repaired if it is not found again.
    damaged.removeIf(it -> it.compareTo(from) > 0 && (to == null || it.compareTo(to) <= 0));
    for (var sha256 : report.damaged()) {
      damaged.add(sha256);
      log.warn("artifact {} is damaged: its bytes do not match its digest", sha256);
    }
  }
}
