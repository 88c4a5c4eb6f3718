package dev.errand.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Every verb as a newcomer types it. */
@Timeout(120)
final class CliTest {
  private static Sandbox sandbox;

  @BeforeAll
  static void start_a_daemon() throws Exception {
    sandbox = Sandbox.create();
    sandbox.up();
  }

  @AfterAll
  static void end_what_runs() throws Exception {
    sandbox.close();
  }

  private static Sandbox.Result errand(String... arguments) throws Exception {
    return sandbox.errand(arguments);
  }

  @Test
  void run_passes_on_both_streams_exactly_and_exits_with_the_code_of_the_task() throws Exception {
    var result = errand("run", "-c", "printf 'a\\0\\377\\033[1m'; printf oops >&2; exit 3");

    assertThat(result.code()).isEqualTo(3);
    assertThat(result.bytes()).isEqualTo("a\0\u00ff\033[1m".getBytes(StandardCharsets.ISO_8859_1));
    assertThat(result.err()).isEqualTo("oops");
  }

  @Test
  void run_passes_on_what_is_piped_in_and_the_folder_it_is_called_in() throws Exception {
    var result = sandbox.errandGiven("six\nby\n", "run", "--", "sh", "-c", "wc -c; pwd");

    assertThat(result.succeeded().out()).isEqualTo("7\n" + sandbox.folder().toRealPath() + "\n");
  }

  @Test
  void run_says_by_its_exit_code_why_a_task_has_none_of_its_own() throws Exception {
    var missing = errand("run", "--", "no-such-program-anywhere");
    var timedOut = errand("run", "--timeout", "1s", "--", "sleep", "100");
    var signalled = errand("run", "-c", "kill -9 $$");

    assertThat(missing.code()).isEqualTo(127);
    assertThat(missing.err()).contains("no-such-program-anywhere");
    assertThat(timedOut.code()).isEqualTo(124);
    assertThat(timedOut.err()).contains("timeout");
    assertThat(signalled.code()).isEqualTo(137);
  }

  @Test
  void a_task_can_be_spawned_waited_for_looked_at_and_removed() throws Exception {
    var id = errand("spawn", "-n", "looked-at", "-c", "seq 1 5; echo bad >&2; exit 4").line();

    assertThat(id).matches("[0-9a-f-]{36}");
    assertThat(errand("wait", id).code()).isEqualTo(4);
    assertThat(errand("ls", "--label", "looked-at").out())
        .contains(id.substring(0, 13), "looked-at", "exited", "seq 1 5")
        .doesNotContain("\033");
    assertThat(errand("ls", "-q", "--label", "looked-at").line()).isEqualTo(id);
    assertThat(errand("status", "looked-at").out()).contains(id, "exited 4", "seq 1 5");
    assertThat(errand("logs", "looked-at").out()).isEqualTo("1\n2\n3\n4\n5\n");
    assertThat(errand("logs", id, "--tail", "2", "--stream", "stdout").out()).isEqualTo("4\n5\n");
    assertThat(errand("logs", id, "--stream", "stderr").err()).isEqualTo("bad\n");
    assertThat(errand("logs", "-f", id, "--tail", "0").succeeded().out()).isEmpty();
    assertThat(errand("replay", id, "--no-wait").out()).isEqualTo("1\n2\n3\n4\n5\n");

    assertThat(errand("rm", id).line()).contains("removed");
    var gone = errand("status", id);
    assertThat(gone.code()).isEqualTo(5);
    assertThat(gone.err()).startsWith("errand: ");
  }

  @Test
  void the_tail_of_a_long_log_is_the_end_of_all_of_it() throws Exception {
    var id = errand("spawn", "-c", "seq 1 200000; printf 'no end'").line();
    errand("wait", id).succeeded();
    var all = errand("logs", id).out();
    assertThat(all).hasSize(1_288_895 + "no end".length());

    for (var lines : List.of(1, 2, 3, 1_000, 60_000, 200_000, 200_001, 300_000)) {
      var from = Math.max(1, 200_002 - lines);
      var expected =
          all.substring(from == 200_001 ? 1_288_895 : all.indexOf("\n" + from + "\n") + 1);
      assertThat(errand("logs", id, "--tail", lines.toString()).out()).isEqualTo(expected);
    }
    for (var bytes : List.of(1, 70_000, 900_000, 2_000_000)) {
      assertThat(errand("logs", id, "--tail-bytes", bytes.toString()).out())
          .isEqualTo(all.substring(Math.max(0, all.length() - bytes)));
    }
  }

  @Test
  void events_and_replay_print_the_same_frames_as_json_lines() throws Exception {
    var id = errand("spawn", "--", "echo", "framed").line();
    errand("wait", id).succeeded();

    var events = errand("events", id).succeeded();

    assertThat(events.jsonLines())
        .extracting(it -> it.path("seq").intValue())
        .startsWith(0, 1, 2)
        .isSorted();
    assertThat(events.jsonLines().getLast().path("status").stringValue()).isEqualTo("exited");
    assertThat(errand("replay", id, "--no-wait", "--json").out()).isEqualTo(events.out());
    assertThat(errand("events").succeeded().out()).contains(events.out().lines().toList());
  }

  @Test
  void send_writes_to_the_standard_input_of_a_task() throws Exception {
    var id = errand("spawn", "--stdin", "-n", "reader", "--", "cat").line();

    errand("send", "reader", "hello", "there").succeeded();
    sandbox.errandGiven("as it is", "send", "reader").succeeded();
    errand("send", "reader", "--eof").succeeded();

    assertThat(errand("wait", id).code()).isZero();
    assertThat(errand("logs", id).out()).isEqualTo("hello there\nas it is");
    assertThat(errand("send", "reader", "late").code()).isEqualTo(3);
  }

  @Test
  void signal_reaches_the_processes_of_a_task() throws Exception {
    var line = "trap 'echo got it; exit 9' USR1; echo ready; while :; do sleep 0.05; done";
    var id = errand("spawn", "-c", line).line();
    awaitLog(id, "ready\n");

    assertThat(errand("signal", id, "SIGUSR1").line()).endsWith("got SIGUSR1");

    assertThat(errand("wait", id).code()).isEqualTo(9);
    assertThat(errand("logs", id).out()).endsWith("got it\n");
  }

  @Test
  void cancel_ends_a_task_and_says_so() throws Exception {
    var id = errand("spawn", "--", "sleep", "1000").line();

    assertThat(errand("wait", id, "--timeout", "100ms").code()).isEqualTo(124);
    assertThat(errand("cancel", id, "--wait", "20s", "-m", "enough").line()).contains("cancelled");
    assertThat(errand("wait", id).code()).isEqualTo(143);
    assertThat(errand("status", id).out()).contains("enough");
    assertThat(errand("cancel", id).code()).as("again").isZero();
  }

  @Test
  void following_ends_with_the_task_and_has_every_byte() throws Exception {
    var id = errand("spawn", "-c", "for i in 1 2 3 4 5 6; do echo $i; sleep 0.2; done").line();

    assertThat(errand("logs", "-f", id).line()).isEqualTo("1\n2\n3\n4\n5\n6");
  }

  @Test
  void an_artifact_comes_back_as_it_was_put() throws Exception {
    var content = "content\0with all\n";
    var file = Files.writeString(sandbox.folder().resolve("content"), content);
    var digest = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file));

    var id = errand("artifact", "put", file.toString()).line();

    assertThat(id).isEqualTo(HexFormat.of().formatHex(digest));
    assertThat(sandbox.errandGiven(content, "artifact", "put", "-").line()).isEqualTo(id);
    assertThat(errand("artifact", "get", id).out()).isEqualTo(content);
    assertThat(errand("artifact", "get", id, "--range", "8-11").out()).isEqualTo("with");
    var copy = sandbox.folder().resolve("copy");
    errand("artifact", "get", id, "-o", copy.toString()).succeeded();
    assertThat(copy).hasContent(content);
  }

  @Test
  void verbs_print_json_lines_when_asked() throws Exception {
    var spawned = errand("spawn", "--json", "--", "sleep", "1000").json();
    var id = spawned.path("task_id").stringValue();

    assertThat(errand("status", id, "--json").json().path("task_id").stringValue()).isEqualTo(id);
    assertThat(errand("ls", "--active", "--json").succeeded().jsonLines()).isNotEmpty();
    assertThat(errand("signal", id, "CONT", "--json").json().path("signal").stringValue())
        .isEqualTo("CONT");
    assertThat(errand("cancel", id, "--wait", "20s", "--json").json().path("status").stringValue())
        .isEqualTo("cancelled");
    assertThat(errand("wait", id, "--json").jsonLines()).hasSize(1);
    assertThat(errand("rm", id, "--json").json().path("removed").stringValue()).isEqualTo(id);
    assertThat(errand("gc", "--json").json().has("tasks")).isTrue();
    var run = errand("run", "--json", "--", "echo", "hi").succeeded().jsonLines();
    assertThat(run)
        .extracting(it -> it.path("type").stringValue())
        .containsExactly("spawned", "output", "ended");
    var refused = errand("status", id, "--json");
    assertThat(refused.code()).isEqualTo(5);
    assertThat(refused.err()).startsWith("{").contains("\"exit_code\":5");
  }

  @Test
  void doctor_and_version_tell_of_a_sound_installation() throws Exception {
    var findings = errand("doctor", "--json").succeeded().jsonLines();

    assertThat(findings)
        .extracting(it -> it.path("check").stringValue())
        .contains("jdk", "home", "daemon", "ready");
    var version = errand("version", "--json").json();
    assertThat(version.path("daemon").path("build")).isEqualTo(version.path("build"));
    assertThat(errand("version").out()).startsWith("errand ").contains("\ndaemon ");
    assertThat(errand("gc").succeeded().out()).contains("tasks: ");
  }

  @Test
  void help_names_every_verb_and_mistakes_get_a_hint() throws Exception {
    var help = errand("help").succeeded().out();
    assertThat(
            List.of(
                "run",
                "spawn",
                "ls",
                "status",
                "logs",
                "cancel",
                "signal",
                "send",
                "wait",
                "rm",
                "replay",
                "artifact",
                "serve",
                "up",
                "down",
                "restart",
                "doctor",
                "gc",
                "version"))
        .allSatisfy(verb -> assertThat(help).containsPattern("\\b" + verb + "\\b"));

    var mistyped = errand("staus", "x");
    assertThat(mistyped.code()).isEqualTo(2);
    assertThat(mistyped.err()).contains("status");
  }

  private static void awaitLog(String id, String text) {
    await().atMost(Sandbox.PATIENCE).until(() -> errand("logs", id).out(), it -> it.endsWith(text));
  }
}
