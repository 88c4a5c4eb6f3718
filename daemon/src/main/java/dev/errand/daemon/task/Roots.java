package dev.errand.daemon.task;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The folders below which tasks may run. Links are followed first, so none leads out of them. */
public final class Roots {
  private final List<Path> folders;

  private Roots(List<Path> folders) {
    this.folders = List.copyOf(folders);
  }

  /** A leading {@code ~} stands for the home of the user; without folders all are allowed. */
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

  /** The folder itself, behind all links, if it lies in a root; else nothing. */
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
   * Whether this path lies in a root, be there something or not. Both as it stands, for a link
   * before ".." leads elsewhere than the text, and as its text says, for what is not there yet may
   * be made.
   */
  boolean hold(Path path) {
    var absolute = path.toAbsolutePath();
    return isHeld(absolute) && isHeld(absolute.normalize());
  }

  /**
   * The nearest part of it that there is decides. A link that leads nowhere lies outside, as one
   * does that leads out: else it could be learned by a link what there is outside.
   */
  private boolean isHeld(Path path) {
    @Nullable Path at = path;
    while (at != null && !Files.exists(at, LinkOption.NOFOLLOW_LINKS)) {
      at = at.getParent();
    }
    return at != null && inside(at.toString()).isPresent();
  }

  /** Looked up anew each time: a root may be made, or be moved, while the daemon runs. */
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
