package dev.errand.e2e;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The folder that this build runs in, and what lies there. */
final class Checkout {
  static final Path ROOT = Path.of(System.getProperty("errand.root", "..")).toAbsolutePath();

  private Checkout() {}

  /** The folders with a build file of their own. */
  static List<Path> modules() {
    try (var children = Files.list(ROOT)) {
      return children.filter(it -> Files.exists(it.resolve("pom.xml"))).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** All regular files below a folder, or none where it does not exist. */
  static List<Path> filesBelow(Path folder) {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (var files = Files.walk(folder)) {
      return files.filter(Files::isRegularFile).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
