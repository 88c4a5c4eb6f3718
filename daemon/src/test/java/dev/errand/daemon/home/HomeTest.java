package dev.errand.daemon.home;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.errand.wire.home.ErrandHome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

  @Test
  void a_home_that_is_a_link_is_refused_with_the_folder_that_it_leads_to() throws Exception {
    var real = Files.createDirectory(folder.resolve("real"));
    var home = new ErrandHome(Files.createSymbolicLink(folder.resolve("link"), real));

    assertThatThrownBy(() -> HomeLock.take(home))
        .isInstanceOf(HomeRefused.class)
        .hasMessage(home.root() + " is a link; name the folder itself: " + real);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "token",
        "tokens.json",
        "home.json",
        "loss.json",
        "daemon.json",
        "daemon.lock",
        "daemon.log",
        "hosts",
        "secrets",
        "native",
        "logs",
        "artifacts",
        "builds",
        "screens"
      })
  void a_link_in_the_place_of_a_file_or_folder_of_its_own_is_refused(String name) throws Exception {
    var home = new ErrandHome(folder.resolve("home"));
    HomeLock.take(home).close();
    Files.deleteIfExists(home.daemonLock());
    var link = Files.createSymbolicLink(home.root().resolve(name), folder.resolve("elsewhere"));

    assertThatThrownBy(() -> HomeLock.take(home))
        .isInstanceOf(HomeRefused.class)
        .hasMessageStartingWith(link + " is a link");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "token",
        "tokens.json",
        "home.json",
        "loss.json",
        "daemon.json",
        "daemon.lock",
        "daemon.log"
      })
  void a_folder_in_the_place_of_a_file_is_refused_in_a_sentence(String name) throws Exception {
    var home = new ErrandHome(folder.resolve("home"));
    HomeLock.take(home).close();
    Files.deleteIfExists(home.daemonLock());
    Files.createDirectory(home.root().resolve(name));

    assertThatThrownBy(() -> HomeLock.take(home))
        .isInstanceOf(HomeRefused.class)
        .hasMessageContaining(name + " is a folder and must be a file");
  }

  @ParameterizedTest
  @ValueSource(strings = {"token", "home.json", "daemon.lock"})
  void a_pipe_in_the_place_of_a_file_is_refused_and_not_waited_for(String name) throws Exception {
    var home = new ErrandHome(folder.resolve("home"));
    HomeLock.take(home).close();
    Files.deleteIfExists(home.daemonLock());
    var pipe = home.root().resolve(name);
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();

    assertThatThrownBy(() -> HomeLock.take(home))
        .isInstanceOf(HomeRefused.class)
        .hasMessage(pipe + " is not a regular file; remove it");
  }

  @ParameterizedTest
  @ValueSource(strings = {"hosts", "secrets", "native", "logs", "artifacts", "builds", "screens"})
  void a_file_in_the_place_of_a_folder_is_refused_in_a_sentence(String name) throws Exception {
    var home = new ErrandHome(folder.resolve("home"));
    HomeLock.take(home).close();
    Files.createFile(home.root().resolve(name));

    assertThatThrownBy(() -> HomeLock.take(home))
        .isInstanceOf(HomeRefused.class)
        .hasMessageContaining(name + " is a file and must be a folder");
  }

  private static String mode(Path path) throws Exception {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }
}
