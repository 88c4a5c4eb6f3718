package dev.errand.cli.launch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.errand.cli.terminal.Console;
import dev.errand.cli.terminal.Terminal;
import dev.errand.wire.home.ErrandHome;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Starting a daemon, with a script in the place of the launcher's own. */
final class DaemonLauncherTest {
  @TempDir private Path folder;
  private final ByteArrayOutputStream said = new ByteArrayOutputStream();

  private DaemonLauncher launcher(String script, Map<String, String> environment)
      throws IOException {
    var run = folder.resolve("run");
    Files.writeString(run, "#!/bin/sh\n" + script);
    Files.setPosixFilePermissions(run, PosixFilePermissions.fromString("rwx------"));
    var console =
        new Console(
            InputStream.nullInputStream(), OutputStream.nullOutputStream(), said, Terminal.NONE);
    return new DaemonLauncher(home(), new Installation("0.1.0", "abc", run), environment, console);
  }

  private ErrandHome home() {
    return new ErrandHome(folder.resolve("home"));
  }

  @Test
  void a_daemon_that_ends_at_once_is_told_with_its_last_words() throws IOException {
    var launcher =
        launcher("echo \"$1 detach=$ERRAND_DETACH\"; echo 'port is taken' >&2; exit 3", Map.of());

    assertThatThrownBy(launcher::connectOrStart)
        .isInstanceOf(LaunchException.class)
        .hasMessageContaining("ended with code 3")
        .hasMessageContaining("serve detach=1")
        .hasMessageContaining("port is taken");
    assertThat(said.toString(UTF_8)).isEqualTo("errand: starting the daemon …\n");
  }

  @Test
  void nothing_is_written_through_a_link_in_the_place_of_the_log() throws IOException {
    var foreign = Files.createFile(folder.resolve("foreign"));
    Files.createDirectory(home().root());
    Files.createSymbolicLink(home().daemonLog(), foreign);

    assertThatThrownBy(launcher("echo hello", Map.of())::connectOrStart)
        .isInstanceOf(LaunchException.class)
        .hasMessageContaining("daemon.log is not a regular file");
    assertThat(foreign).isEmptyFile();
  }

  @Test
  void the_log_of_the_daemon_is_for_its_owner_only_and_tells_what_is_new() throws IOException {
    var log = new DaemonLog(home().daemonLog());
    log.prepare();
    Files.writeString(home().daemonLog(), "old\n");
    var before = log.size();
    log.prepare();
    Files.writeString(home().daemonLog(), "old\nnew\n");

    assertThat(log.linesAfter(before)).containsExactly("new");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(home().daemonLog())))
        .isEqualTo("rw-------");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(home().root())))
        .isEqualTo("rwx------");
  }

  @Test
  void a_task_starts_none() throws IOException {
    var launcher = launcher("exit 1", Map.of("ERRAND_TASK_ID", "x"));

    assertThatThrownBy(launcher::connectOrStart)
        .hasMessageContaining("a task cannot start a daemon");
    assertThat(home().root()).doesNotExist();
  }

  @Test
  void a_process_that_has_ended_is_gone_even_if_nobody_collected_it() throws Exception {
    var process = new ProcessBuilder("sh", "-c", "exit 0").start();
    process.waitFor();

    assertThat(ProcessCheck.isGone(process.pid())).isTrue();
    assertThat(ProcessCheck.isGone(ProcessHandle.current().pid())).isFalse();
  }
}
