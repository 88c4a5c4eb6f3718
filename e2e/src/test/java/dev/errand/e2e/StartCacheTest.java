package dev.errand.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Caches make the program start sooner, and are never needed for it to start. */
final class StartCacheTest {
  private static final Path DIST = Checkout.ROOT.resolve("target/dist");

  @TempDir Path temp;

  @Test
  void a_cache_is_in_force_once_it_is_made_and_does_no_harm_when_it_is_damaged() throws Exception {
    var dist = copiedBuild();

    assertThat(run(Checkout.ROOT.resolve("dist/src/build/train").toString(), dist.toString()).err())
        .isEmpty();

    assertThat(dist.resolve("aot"))
        .isDirectoryContaining("glob:**/cli.aot")
        .isDirectoryContaining("glob:**/daemon.aot")
        .isDirectoryContaining("glob:**/host.aot");
    assertThat(run(dist.resolve("run").toString(), "doctor").out())
        .contains("the start-up cache is in use");

    damage(dist.resolve("aot/cli.aot"));

    var version = run(dist.resolve("run").toString(), "version");
    assertThat(version.code()).isZero();
    assertThat(version.out()).startsWith("errand ");
    assertThat(version.err()).isEmpty();
    assertThat(run(dist.resolve("run").toString(), "doctor").out())
        .contains("the start-up cache is not used");
  }

  private Path copiedBuild() throws IOException {
    var copy = temp.resolve("dist");
    Files.createDirectories(copy.resolve("lib"));
    for (var name : List.of("run", "find-java", ".digest")) {
      copy(DIST.resolve(name), copy.resolve(name));
    }
    try (Stream<Path> jars = Files.list(DIST.resolve("lib"))) {
      for (var jar : jars.toList()) {
        copy(jar, copy.resolve("lib").resolve(jar.getFileName()));
      }
    }
    return copy;
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.copy(from, to, StandardCopyOption.COPY_ATTRIBUTES);
  }

  private static void damage(Path cache) throws IOException {
    var bytes = Files.readAllBytes(cache);
    for (var i = 0; i < 4_096; i++) {
      bytes[i] = 'x';
    }
    Files.write(cache, bytes);
  }

  private record Said(int code, String out, String err) {}

  private Said run(String... command) throws IOException, InterruptedException {
    var out = temp.resolve("out");
    var err = temp.resolve("err");
    var builder = new ProcessBuilder(command).directory(temp.toFile());
    builder.redirectInput(Path.of("/dev/null").toFile());
    builder.redirectOutput(out.toFile()).redirectError(err.toFile());
    builder.environment().put("ERRAND_HOME", temp.resolve("home").toString());
    var code = builder.start().waitFor();
    return new Said(code, Files.readString(out), Files.readString(err));
  }
}
