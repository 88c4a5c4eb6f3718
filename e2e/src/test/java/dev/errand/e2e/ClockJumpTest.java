package dev.errand.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.errand.wire.client.NewTask;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The clock of the machine is set while tasks run: daemon and host see the jump, tasks do not. */
@Timeout(180)
final class ClockJumpTest {
  private static final String LIBRARY = "libfaketimeMT.so.1";

  @Test
  void no_jump_of_the_clock_ends_a_task_or_removes_a_result() throws Exception {
    var library = library();
    assumeTrue(library != null, "faketime is not installed, so the clock cannot be set");
    try (var sandbox = Sandbox.create("[output]\nretention = \"1h\"\n")) {
      var clock = Files.writeString(sandbox.folder().resolve("clock"), "+0\n");
      sandbox.serve(onClock(sandbox, String.valueOf(library), clock));
      try (var client = sandbox.client()) {
        var done = client.spawn(NewTask.shell("echo kept"));
        assertThat(client.waitEnd(done, Sandbox.PATIENCE).exitCode()).isZero();
        var timed = client.spawn(NewTask.shell("sleep 100").timeout(Duration.ofSeconds(4)));
        var began = System.nanoTime();
        var quiet = client.spawn(NewTask.shell("sleep 100").idleTimeout(Duration.ofHours(1)));

        for (var jump : new String[] {"+1h", "-1h", "+3650d", "+0"}) {
          Files.writeString(clock, jump + "\n");
          var between = Recording.of(client, client.spawn(NewTask.shell("echo at " + jump)));
          assertThat(between.stdout().text()).isEqualTo("at " + jump + "\n");
          sandbox.errand("gc").succeeded();
        }

        var ended = client.waitEnd(timed, Sandbox.PATIENCE);
        assertThat(ended.error()).isEqualTo("timeout");
        assertThat(Duration.ofNanos(System.nanoTime() - began))
            .isGreaterThan(Duration.ofSeconds(4));
        assertThat(client.status(quiet).status()).isEqualTo("running");
        assertThat(Recording.of(client, done).stdout().text()).isEqualTo("kept\n");
        client.cancel(quiet, null, Sandbox.PATIENCE);
      }
    }
  }

  private static ProcessBuilder onClock(Sandbox sandbox, String library, Path clock) {
    var builder = sandbox.builder("serve");
    var environment = builder.environment();
    environment.put("LD_PRELOAD", library);
    environment.put("FAKETIME_TIMESTAMP_FILE", clock.toString());
    environment.put("FAKETIME_NO_CACHE", "1");
    environment.put("FAKETIME_DONT_FAKE_MONOTONIC", "1");
    // Its other way to wait stops a JVM for ever.
    environment.put("FAKETIME_FORCE_MONOTONIC_FIX", "0");
    return builder;
  }

  private static @Nullable Path library() throws IOException {
    var lib = Path.of("/usr/lib");
    try (var folders = Files.list(lib)) {
      return folders
          .map(it -> it.resolve("faketime").resolve(LIBRARY))
          .filter(Files::exists)
          .findFirst()
          .orElse(null);
    }
  }
}
