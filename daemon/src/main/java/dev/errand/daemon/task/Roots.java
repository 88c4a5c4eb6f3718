package dev.errand.daemon.task;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The folders below which tasks may run. Links are resolved first, so none leads out of them. */
public final class Roots {
  private final List<Path> folders;

  private Roots(List<Path> folders) {
    this.folders = List.copyOf(folders);
  }

  /** A leading {@code ~} means the home of the user; an empty list allows all folders. */
  public static Roots of(List<String> texts, Path userHome) {
    return new Roots(texts.stream().map(it -> expanded(it, userHome)).toList());
  }

  private static Path expanded(String text, Path userHome) {
    return text.startsWith("~")
        ? userHome.resolve(text.substring(Math.min(2, text.length())))
        : Path.of(text);
  }

  boolean areSet() {
    return !folders.isEmpty();
  }

  /** The folder with all links resolved, if it is inside a root; otherwise empty. */
  Optional<Path> inside(String folder) {
    try {
      var real = Path.of(folder).toRealPath();
      for (var root : folders) {
        if (real.startsWith(real(root))) {
          return Optional.of(real);
        }
      }
      return Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /**
   * Whether this path is inside a root, whether or not it exists. Both the path with resolved
   * links, since a link before ".." leads elsewhere than the text, and the path as text, since
   * missing folders may be created.
   */
  boolean hold(Path path) {
    var absolute = path.toAbsolutePath();
    return isHeld(absolute) && isHeld(absolute.normalize());
  }

  /**
   * The nearest existing ancestor decides. A broken link is outside, like one that leads out:
   * otherwise links would reveal what exists outside.
   */
  private boolean isHeld(Path path) {
    @Nullable Path at = path;
    while (at != null && !Files.exists(at, LinkOption.NOFOLLOW_LINKS)) {
      at = at.getParent();
    }
    return at != null && inside(at.toString()).isPresent();
  }

  /** Resolved again each time: a root may be created or moved while the daemon runs. */
  private static Path real(Path root) {
    try {
      return root.toRealPath();
    } catch (IOException e) {
      return root.toAbsolutePath().normalize();
    }
  }

  @Override
  public String toString() {
    return String.join(", ", folders.stream().map(Path::toString).toList());
  }
}
