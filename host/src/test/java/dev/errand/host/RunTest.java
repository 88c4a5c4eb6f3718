package dev.errand.host;

import static dev.errand.host.TestHost.only;
import static dev.errand.host.TestHost.shell;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.errand.core.task.LogStream;
import dev.errand.host.protocol.HostRequest;
import dev.errand.host.record.AttemptId;
import dev.errand.host.record.HostRecord;
import java.io.IOException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Starting, reading and ending: what the records and logs say about real processes. */
final class RunTest {
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
  void a_command_is_recorded_from_intent_to_exit() throws Exception {
    var request = shell("echo hello; echo oops >&2; exit 7");

    var records = host.run(request);

    assertThat(records.get(0)).isInstanceOf(HostRecord.Intent.class);
    assertThat(records.get(1)).isInstanceOf(HostRecord.Started.class);
    assertThat(records).extracting(HostRecord::n).isEqualTo(numbersUpTo(records.size()));
    var exited = (HostRecord.Exited) records.getLast();
    assertThat(exited.code()).isEqualTo(7);
    assertThat(exited.signal()).isNull();
    assertThat(exited.cause()).isNull();
    assertThat(exited.leftover()).isEqualTo("none");
    assertThat(host.stdout(request.id())).isEqualTo("hello\n");
    assertThat(new String(host.log(request.id(), LogStream.STDERR), UTF_8)).isEqualTo("oops\n");
  }

  private static List<Long> numbersUpTo(int count) {
    return java.util.stream.LongStream.rangeClosed(1, count).boxed().toList();
  }

  @Test
  void death_by_a_signal_has_its_name_and_code() throws Exception {
    var records = host.run(shell("kill -SEGV $$"));

    var exited = (HostRecord.Exited) records.getLast();
    assertThat(exited.code()).isEqualTo(139);
    assertThat(exited.signal()).isEqualTo("SEGV");
    assertThat(exited.cause()).isNull();
  }

  @Test
  void the_end_tells_digest_and_lines() throws Exception {
    var request = shell("printf 'a\\nb\\nc'");

    var exited = (HostRecord.Exited) host.run(request).getLast();

    var stdout = exited.streams().getFirst();
    assertThat(stdout.bytesTotal()).isEqualTo(5);
    assertThat(stdout.lines()).isEqualTo(2);
    assertThat(stdout.sha256()).isEqualTo(sha256("a\nb\nc".getBytes(UTF_8)));
    assertThat(exited.streams().get(1).sha256()).isNull();
  }

  @Test
  void the_memory_of_the_host_is_not_taken_for_that_of_a_small_process() throws Exception {
    var exited = (HostRecord.Exited) host.run(shell("true")).getLast();

    assertThat(exited.usage().maxRssBytes()).isZero();
  }

  @Test
  void records_tile_the_log_and_their_checksums_hold() throws Exception {
    var request = shell("for i in $(seq 1 30000); do echo line $i; done");

    var records = host.run(request);

    assertTiles(request.id(), records, host.log(request.id(), LogStream.STDOUT));
  }

  @Test
  void sixty_four_mebibytes_and_an_exit_at_once_lose_no_byte() throws Exception {
    var request = shell("head -c 67108864 /dev/zero | tr '\\0' 'x'; exit 3");

    var records = host.run(request);

    var log = host.log(request.id(), LogStream.STDOUT);
    assertThat(log).hasSize(64 << 20);
    var exited = (HostRecord.Exited) records.getLast();
    assertThat(exited.code()).isEqualTo(3);
    assertThat(exited.streams().getFirst().sha256()).isEqualTo(sha256(log));
    assertTiles(request.id(), records, log);
  }

  @Test
  void a_character_split_by_the_writer_stays_whole_in_the_records() throws Exception {
    var request = shell("printf 'a\\xe2\\x82'; sleep 0.03; printf '\\xac!'");

    var records = host.run(request);

    var log = host.log(request.id(), LogStream.STDOUT);
    assertThat(new String(log, UTF_8)).isEqualTo("a€!");
    var borders =
        only(records, HostRecord.Output.class).stream()
            .map(it -> it.offset() + it.bytes())
            .toList();
    assertThat(borders).doesNotContain(2L, 3L).contains(5L);
    assertTiles(request.id(), records, log);
  }

  @Test
  void bytes_that_are_no_text_survive_exactly() throws Exception {
    var request =
        shell("printf '\\xff\\xfe\\xc3(\\xf0\\x9f'; head -c 100000 /dev/urandom; printf '\\xe2'");

    var records = host.run(request);

    var log = host.log(request.id(), LogStream.STDOUT);
    assertThat(log).hasSize(100_007).endsWith((byte) 0xe2);
    assertTiles(request.id(), records, log);
  }

  @Test
  void the_environment_holds_only_what_it_must() throws Exception {
    var program = new HostRequest.Program.Argv(List.of("env"));
    var request =
        TestHost.request(program, HostRequest.Limits.none(), false, Map.of("MINE", "yes"));

    host.run(request);

    var names =
        host.stdout(request.id()).lines().map(it -> it.substring(0, it.indexOf('='))).toList();
    assertThat(names)
        .contains("PATH", "MINE", "ERRAND_TASK_ID", "ERRAND_SESSION_ID")
        .allMatch(it ->
            it.startsWith("LC_")
                || List.of(
                        "PATH",
                        "HOME",
                        "TERM",
                        "LANG",
                        "USER",
                        "SHELL",
                        "TMPDIR",
                        "MINE",
                        "ERRAND_TASK_ID",
                        "ERRAND_SESSION_ID")
                    .contains(it));
  }

  @Test
  void a_child_has_no_descriptors_of_ours_and_a_session_of_its_own() throws Exception {
    var request = shell("ls /proc/self/fd | tr '\\n' ' '; ps -o sid= -p $$; echo $$");

    host.run(request);

    var words = host.stdout(request.id()).trim().split("\\s+");
    // ls itself has the folder open as 3.
    assertThat(words).startsWith("0", "1", "2", "3").hasSize(6);
    assertThat(words[4]).isEqualTo(words[5]);
  }

  @Test
  void what_cannot_be_started_says_why() throws Exception {
    assertThat(reason(argv("no-such-program-here"), "/")).isEqualTo("not_found");
    assertThat(reason(argv("/etc/passwd"), "/")).isEqualTo("not_executable");
    assertThat(reason(argv("/etc"), "/")).isEqualTo("not_executable");
    assertThat(reason(argv("true"), "/no/such/folder")).isEqualTo("bad_cwd");
  }

  private String reason(HostRequest.Program program, String cwd)
      throws IOException, InterruptedException {
    return notStarted(program, cwd).reasonCode();
  }

  private HostRecord.NotStarted notStarted(HostRequest.Program program, String cwd)
      throws IOException, InterruptedException {
    var request =
        new HostRequest.Spawn(
            TestHost.newAttempt(),
            "session-1",
            program,
            new HostRequest.Surroundings(cwd, Map.of(), false),
            HostRequest.Limits.none(),
            HostRequest.Leftover.KILL,
            false,
            Map.of());
    assertThat(host.spawn(request)).isFalse();
    return (HostRecord.NotStarted)
        host.await(request.id(), HostRecord.NotStarted.class::isInstance);
  }

  private static HostRequest.Program argv(String... words) {
    return new HostRequest.Program.Argv(List.of(words));
  }

  @Test
  void a_program_is_found_relative_to_its_folder(@TempDir Path folder) throws Exception {
    var script = folder.resolve("ü tool");
    java.nio.file.Files.writeString(script, "#!/bin/sh\npwd\n");
    assertThat(script.toFile().setExecutable(true)).isTrue();
    var request =
        new HostRequest.Spawn(
            TestHost.newAttempt(),
            "session-1",
            argv("./ü tool"),
            new HostRequest.Surroundings(folder.toString(), Map.of(), false),
            HostRequest.Limits.none(),
            HostRequest.Leftover.KILL,
            true,
            Map.of());

    host.run(request);

    assertThat(host.stdout(request.id())).isEqualTo(folder + "\n");
  }

  @Test
  void a_script_whose_interpreter_is_missing_says_so(@TempDir Path folder) throws Exception {
    var script = folder.resolve("tool");
    java.nio.file.Files.writeString(script, "#!/no/such/shell\n");
    assertThat(script.toFile().setExecutable(true)).isTrue();

    var record = notStarted(argv(script.toString()), "/");

    assertThat(record.reasonCode()).isEqualTo("not_found");
    assertThat(record.message()).contains(script.toString(), "interpreter");
  }

  @Test
  void a_second_attempt_goes_on_at_the_given_offset() throws Exception {
    var first = shell("printf 12345");
    host.run(first);
    var second =
        new HostRequest.Spawn(
            new AttemptId(first.id().taskId(), 2),
            "session-1",
            new HostRequest.Program.Command("printf 678"),
            first.surroundings(),
            first.limits(),
            first.leftover(),
            false,
            Map.of(LogStream.STDOUT, 5L));

    var records = host.run(second);

    assertThat(host.stdout(first.id())).isEqualTo("12345678");
    assertThat(only(records, HostRecord.Output.class).getFirst().offset()).isEqualTo(5);
  }

  @Test
  void a_flood_is_told_to_its_end_though_its_process_lives_on() throws Exception {
    var bytes = 100L << 20;
    var request = shell("head -c " + bytes + " /dev/zero; exec sleep 60");

    TestHost.value(host.client().spawn(request));

    host.awaitTold(
        request.id(),
        it -> only(it, HostRecord.Output.class).stream().mapToLong(o -> o.bytes()).sum() == bytes);
  }

  /** Every byte is in exactly one record, and each record's checksum is that of its bytes. */
  private static void assertTiles(AttemptId id, List<HostRecord> records, byte[] log) {
    var next = 0L;
    for (var output : only(records, HostRecord.Output.class)) {
      if (output.stream() != LogStream.STDOUT) {
        continue;
      }
      assertThat(output.offset()).as("records of %s tile", id).isEqualTo(next);
      assertThat(output.bytes()).isBetween(1L, 1L << 20);
      next += output.bytes();
      var crc = new CRC32C();
      crc.update(Arrays.copyOfRange(log, (int) output.offset(), (int) next));
      assertThat(output.crc32c()).isEqualTo((int) crc.getValue());
    }
    assertThat(next).isEqualTo(log.length);
  }

  private static String sha256(byte[] bytes) throws Exception {
    return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
  }
}
