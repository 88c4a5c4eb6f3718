package dev.errand.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Another user of the machine gets nothing, whatever the modes of our files have become. */
final class StrangersTest {
  private static final String NOBODY = "nobody";

  @BeforeEach
  void needs_root() {
    assumeTrue("root".equals(System.getProperty("user.name")), "only root can act as another user");
  }

  private static void open(Path path, String mode) throws IOException {
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
  }

  @Test
  void a_peer_of_another_user_is_refused_by_the_door_itself() throws Exception {
    try (var sandbox = Sandbox.create()) {
      sandbox.serve();
      var socket = sandbox.home().socket();
      open(sandbox.folder(), "rwxr-xr-x");
      open(sandbox.home().root(), "rwxrwxrwx");
      open(socket, "rwxrwxrwx");
      var line = Ask.line(socket, "GET", "/tasks", "");

      var stranger =
          sandbox.finish(
              new ProcessBuilder("setpriv", "--reuid", NOBODY, "--clear-groups", "sh", "-c", line));

      assertThat(stranger.out()).contains("HTTP/1.1 403").contains("FORBIDDEN");
      assertThat(Files.readString(sandbox.home().daemonLog())).contains("refused: unix GET /tasks");
      open(sandbox.home().root(), "rwx------");
    }
  }

  @Test
  void a_home_of_another_user_is_refused() throws Exception {
    try (var sandbox = Sandbox.create()) {
      var users = sandbox.home().root().getFileSystem().getUserPrincipalLookupService();
      var root = Files.getOwner(sandbox.home().root());
      Files.setOwner(sandbox.home().root(), users.lookupPrincipalByName(NOBODY));

      var refused = sandbox.errand("up");

      assertThat(refused.code()).isNotZero();
      assertThat(refused.err()).contains(NOBODY);
      Files.setOwner(sandbox.home().root(), root);
    }
  }
}
