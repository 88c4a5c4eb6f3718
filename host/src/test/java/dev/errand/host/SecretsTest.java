package dev.errand.host;

import static dev.errand.host.TestHost.only;
import static org.assertj.core.api.Assertions.assertThat;

import dev.errand.core.task.LogStream;
import dev.errand.host.protocol.HostRequest;
import dev.errand.host.record.HostRecord;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Values of secret variables reach neither a log nor a record. */
final class SecretsTest {
  private static final String VALUE = "hunter2-and-more";

  @TempDir Path home;
  private TestHost host;

  @BeforeEach
  void start() throws Exception {
    host = TestHost.start(home);
  }

  @AfterEach
  void stop() throws Exception {
    host.close();
  }

  @Test
  void a_secret_that_a_task_prints_is_named_in_its_logs_instead() throws Exception {
    var request =
        secretly("echo a $KEY b; echo $KEY >&2; echo -n $KEY | base64; echo ${#KEY}", false);

    host.run(request);

    assertThat(host.stdout(request.id())).isEqualTo("a [secret:KEY] b\n[secret:KEY]\n16\n");
    assertThat(new String(host.log(request.id(), LogStream.STDERR), StandardCharsets.UTF_8))
        .isEqualTo("[secret:KEY]\n");
    assertNowhere();
  }

  @Test
  void a_secret_written_in_pieces_is_found() throws Exception {
    var pieces =
        "printf %s ${KEY:0:5}; sleep 0.01; printf %s ${KEY:5:4}; sleep 0.01; echo ${KEY:9}";
    var request = secretly(pieces, false);

    host.run(request);

    assertThat(host.stdout(request.id())).isEqualTo("[secret:KEY]\n");
  }

  @Test
  void what_only_begins_like_a_secret_is_held_back_for_a_moment_and_then_shown() throws Exception {
    var request = secretly("printf %s ${KEY:0:5}; sleep 60", false);
    host.spawn(request);

    host.await(request.id(), HostRecord.Output.class::isInstance);

    assertThat(host.stdout(request.id())).isEqualTo("hunte");
    host.cancel(request.id());
    host.awaitExit(request.id());
  }

  @Test
  void the_ranges_in_the_records_are_those_of_the_redacted_log() throws Exception {
    var request = secretly("for i in 1 2 3; do echo $KEY; sleep 0.05; done", false);

    var records = host.run(request);

    var bytes = only(records, HostRecord.Output.class).stream().mapToLong(HostRecord.Output::bytes);
    assertThat(bytes.sum()).isEqualTo(host.log(request.id(), LogStream.STDOUT).length);
    var exited = only(records, HostRecord.Exited.class).getFirst();
    assertThat(exited.streams().getFirst().bytesTotal()).isEqualTo(3L * "[secret:KEY]\n".length());
  }

  @Test
  void what_is_typed_is_recorded_without_it() throws Exception {
    var request = secretly("cat >/dev/null", true);
    host.spawn(request);
    var typed = TestHost.typed(request.id(), "op", "login " + VALUE + "\n", true);

    TestHost.value(host.client().stdin(typed));
    host.awaitExit(request.id());

    var record = only(host.of(request.id()), HostRecord.Stdin.class).getFirst();
    assertThat(new String(record.data().bytes(), StandardCharsets.UTF_8))
        .isEqualTo("login [secret:KEY]\n");
    assertThat(record.bytes()).isEqualTo(6 + VALUE.length() + 1);
    assertNowhere();
  }

  @Test
  void a_secret_among_the_arguments_of_a_leftover_process_is_not_recorded() throws Exception {
    var line = "setsid sh -c 'echo ready; sleep 60; :' x $KEY & while :; do sleep 0.05; done";
    var request = secretly(line, false);
    host.spawn(request);
    host.await(request.id(), HostRecord.Output.class::isInstance);

    host.cancel(request.id());

    assertThat(host.awaitExit(request.id()).processes())
        .anySatisfy(it -> assertThat(it.command()).endsWith("x [secret:KEY]"));
    assertNowhere();
  }

  @Test
  void without_the_value_nothing_is_started() throws Exception {
    var request = request("true", Map.of(), false);

    assertThat(host.spawn(request)).isFalse();

    var record = host.await(request.id(), HostRecord.NotStarted.class::isInstance);
    assertThat(((HostRecord.NotStarted) record).reasonCode()).isEqualTo("secrets_gone");
  }

  /** Neither the records nor the logs nor anything else of the home. */
  private void assertNowhere() throws Exception {
    try (var files = Files.walk(home)) {
      for (var file : files.filter(Files::isRegularFile).toList()) {
        assertThat(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1))
            .as(file.toString())
            .doesNotContain(VALUE);
      }
    }
  }

  private static HostRequest.Spawn secretly(String line, boolean stdin) {
    return request(line, Map.of("KEY", VALUE), stdin);
  }

  private static HostRequest.Spawn request(String line, Map<String, String> env, boolean stdin) {
    return new HostRequest.Spawn(
        TestHost.newAttempt(),
        "session-1",
        new HostRequest.Program.Command(line),
        new HostRequest.Surroundings("/", env, stdin, Set.of("KEY")),
        HostRequest.Limits.none(),
        HostRequest.Leftover.KILL,
        false,
        Map.of());
  }
}
