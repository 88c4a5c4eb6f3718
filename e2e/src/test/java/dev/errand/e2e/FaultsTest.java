package dev.errand.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.wire.client.NewTask;
import java.nio.file.Files;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What cannot work is refused or recorded, with a line that says what to do. */
@Timeout(60)
final class FaultsTest {

  @Test
  void a_home_that_others_can_enter_is_refused_with_the_command_that_closes_it() throws Exception {
    try (var sandbox = Sandbox.create()) {
      var root = sandbox.home().root();
      Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwxr-xr-x"));

      var served = sandbox.errand("serve");
      var ran = sandbox.errand("run", "--", "true");

      assertThat(served.code()).isEqualTo(1);
      assertThat(served.err()).contains("chmod 700 " + root);
      assertThat(ran.code()).isEqualTo(4);
      assertThat(ran.err()).contains("chmod 700 " + root);
    }
  }

  @Test
  void a_program_that_is_not_there_and_a_folder_that_is_not_there_are_told_apart()
      throws Exception {
    try (var sandbox = Sandbox.create()) {
      sandbox.serve();
      try (var client = sandbox.client()) {
        var missing = client.spawn(NewTask.program(List.of("no-such-program-anywhere", "-x")));

        var status = Recording.of(client, missing).status();
        assertThat(status.status()).isEqualTo("failed");
        assertThat(status.reason()).isEqualTo("not_found");
        assertThat(status.message()).contains("no-such-program-anywhere");
        assertThat(status.exitCode()).isNull();

        assertThatThrownBy(() -> client.spawn(NewTask.shell("true").cwd("/no/such/folder")))
            .hasMessageContaining("/no/such/folder")
            .isInstanceOfSatisfying(
                ErrandException.class,
                it -> assertThat(it.code()).isEqualTo(ErrorCode.INVALID_REQUEST));
      }
    }
  }

  @Test
  void a_setting_that_does_not_exist_is_refused_with_its_line() throws Exception {
    try (var sandbox = Sandbox.create("[tasks]\nmax_runing_commands = 3\n")) {
      var served = sandbox.errand("serve");

      assertThat(served.code()).isEqualTo(1);
      assertThat(served.err()).contains("config.toml", "line 2", "max_runing_commands");
    }
  }
}
