package dev.errand.daemon.home;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.errand.wire.home.ErrandHome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HomeTest {
  @TempDir private Path folder;

  @Test
  void a_new_home_is_for_its_owner_only() throws Exception {
    var home = new ErrandHome(folder.resolve("a/b"));

    try (var _ = HomeLock.take(home)) {
      assertThat(mode(home.root())).isEqualTo("rwx------");
      assertThat(mode(home.daemonLock())).isEqualTo("rw-------");
    }
  }

  @Test
  void a_home_that_is_open_to_others_is_refused_with_the_remedy() throws Exception {
    var home = new ErrandHome(folder.resolve("wide"));
    Files.createDirectory(home.root());
    Files.setPosixFilePermissions(home.root(), PosixFilePermissions.fromString("rwxr-xr-x"));

    assertThatThrownBy(() -> HomeLock.take(home))
        .isInstanceOf(HomeRefused.class)
        .hasMessageContaining("chmod 700");
  }

  @Test
  void a_second_daemon_is_refused_until_the_first_lets_go() throws Exception {
    var home = new ErrandHome(folder.resolve("home"));
    try (var _ = HomeLock.take(home)) {
      assertThatThrownBy(() -> HomeLock.take(home))
          .isInstanceOf(HomeRefused.class)
          .hasMessageContaining("another daemon");
    }

    HomeLock.take(home).close();
  }

  private static String mode(Path path) throws Exception {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }
}
