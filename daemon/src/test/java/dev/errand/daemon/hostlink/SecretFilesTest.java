package dev.errand.daemon.hostlink;

import static org.assertj.core.api.Assertions.assertThat;

import dev.errand.core.task.Environment;
import dev.errand.core.task.TaskId;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SecretFilesTest {
  private static final TaskId TASK = new TaskId("01890a5d-ac96-774b-bcce-b302099a8057");
  private static final Map<String, String> VALUES =
      Map.of("KEY", "a=b\nc \u00fc", "PEM", "-----BEGIN\nx\n");

  @TempDir Path root;

  @Test
  void what_was_put_can_be_had_until_it_is_removed() {
    var secrets = new SecretFiles(root.resolve("secrets"));

    assertThat(secrets.get(TASK)).isEmpty();
    secrets.put(TASK, new Environment(VALUES));
    assertThat(secrets.get(TASK)).isEqualTo(VALUES);
    secrets.remove(TASK);
    assertThat(secrets.get(TASK)).isEmpty();
    secrets.remove(TASK);
  }

  @Test
  void nobody_else_can_read_them() throws Exception {
    new SecretFiles(root.resolve("secrets")).put(TASK, new Environment(VALUES));

    try (var all = Files.walk(root.resolve("secrets"))) {
      for (var path : all.toList()) {
        var mode = PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
        assertThat(mode).as(path.toString()).endsWith("------");
      }
    }
  }

  @Test
  void what_no_living_task_needs_is_swept() throws Exception {
    var folder = root.resolve("secrets");
    var secrets = new SecretFiles(folder);
    secrets.sweep(List.of());
    secrets.put(TASK, new Environment(VALUES));
    Files.createFile(folder.resolve(".half-written"));
    Files.createFile(Files.createDirectory(folder.resolve("webhooks")).resolve("other"));

    secrets.sweep(List.of());

    assertThat(Objects.requireNonNull(folder.toFile().list())).containsExactly("webhooks");
    assertThat(folder.resolve("webhooks").resolve("other")).exists();
  }
}
