package dev.errand.daemon.task;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

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
