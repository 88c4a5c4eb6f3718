package dev.errand.e2e;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A file that names a folder of the machine it was written on works nowhere else. */
final class MachinePathsTest {
  /** A home or work folder at the start of a path; `~/work` and `example.org/home/` are none. */
  private static final Pattern MACHINE_PATH =
      Pattern.compile("(?<![\\w~.$}/-])/(?:work|root|home/\\w+|Users/\\w+)/");

  @Test
  void no_tracked_file_names_a_folder_of_one_machine() throws Exception {
    var tracked = trackedFiles();
    assumeThat(tracked).as("needs git, and a checkout made with it").isNotEmpty();

    var found = tracked.stream().flatMap(MachinePathsTest::machinePaths).toList();

    assertThat(found).as("machine paths").isEmpty();
  }

  @Test
  void the_check_tells_a_machine_path_from_others() {
    assertThat(MACHINE_PATH.matcher("cd " + "/home" + "/someone/x").find()).isTrue();
    assertThat(MACHINE_PATH.matcher("\"" + "/root" + "/x\"").find()).isTrue();
    assertThat(MACHINE_PATH.matcher("roots = [\"~/wo" + "rk/\"]").find()).isFalse();
    assertThat(MACHINE_PATH.matcher("https://example.org/home/page/").find()).isFalse();
    assertThat(MACHINE_PATH.matcher("$HOME/wo" + "rk/x").find()).isFalse();
  }

  /** What git tracks; empty where there is no git or no repository. */
  private static List<Path> trackedFiles() throws InterruptedException {
    try {
      var git =
          new ProcessBuilder("git", "ls-files", "-z")
              .directory(Checkout.ROOT.toFile())
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      var names = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (git.waitFor() != 0) {
        return List.of();
      }
      return Stream.of(names.split("\0", -1))
          .filter(it -> !it.isEmpty())
          .map(Checkout.ROOT::resolve)
          .filter(Files::isRegularFile)
          .toList();
    } catch (IOException e) {
      return List.of();
    }
  }

  private static Stream<String> machinePaths(Path file) {
    var text = text(file);
    if (text.indexOf('\0') >= 0) {
      return Stream.empty(); // Not a text.
    }
    var lines = text.lines().toList();
    return IntStream.range(0, lines.size())
        .filter(it -> MACHINE_PATH.matcher(lines.get(it)).find())
        .mapToObj(it -> Checkout.ROOT.relativize(file) + ":" + (it + 1) + ": " + lines.get(it));
  }

  /** Read byte by byte, because a recorded log need not be UTF-8. */
  private static String text(Path file) {
    try {
      return Files.readString(file, ISO_8859_1);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
