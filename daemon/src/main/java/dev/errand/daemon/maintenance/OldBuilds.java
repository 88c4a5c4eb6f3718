package dev.errand.daemon.maintenance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes installed builds that are no longer in use. A daemon and a host load classes from their
 * build while they run, so a build that either names is kept.
 */
public final class OldBuilds {
  private static final Logger log = LoggerFactory.getLogger(OldBuilds.class);

  /** The minimum age: a younger build may be for a daemon that is about to start. */
  static final Duration KEPT = Duration.ofDays(1);

  private final Path builds;
  private final Path hosts;
  private final String ownBuild;

  public OldBuilds(Path builds, Path hosts, String ownBuild) {
    this.builds = builds;
    this.hosts = hosts;
    this.ownBuild = ownBuild;
  }

  /** Removes them and returns how many. A build that cannot be removed is retried later. */
  int remove(long beforeMs) {
    var removed = 0;
    try {
      var named = named();
      for (var build : folders(builds)) {
        var isOld = Files.getLastModifiedTime(build).toMillis() < beforeMs;
        if (!named.contains(build.getFileName().toString()) && isOld) {
          delete(build);
          removed++;
        }
      }
    } catch (IOException e) {
      log.warn("old builds could not be removed: {}", e.toString());
    }
    return removed;
  }

  private Set<String> named() throws IOException {
    var named = new HashSet<>(Set.of(ownBuild));
    for (var host : folders(hosts)) {
      var file = host.resolve("build");
      if (Files.exists(file)) {
        named.add(Files.readString(file).strip());
      }
    }
    return named;
  }

  private static List<Path> folders(Path parent) throws IOException {
    if (!Files.isDirectory(parent)) {
      return List.of();
    }
    try (var list = Files.list(parent)) {
      return list.filter(it -> Files.isDirectory(it, LinkOption.NOFOLLOW_LINKS)).toList();
    }
  }

  private static void delete(Path folder) throws IOException {
    try (var tree = Files.walk(folder)) {
      for (var path : tree.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    }
  }
}
