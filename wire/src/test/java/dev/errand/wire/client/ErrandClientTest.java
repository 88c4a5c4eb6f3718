package dev.errand.wire.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TerminalSize;
import dev.errand.wire.home.ErrandHome;
import dev.errand.wire.json.Json;
import dev.errand.wire.json.SpawnRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
class ErrandClientTest {
  private static final TaskId TASK = new TaskId("01890a5d-ac96-774b-bcce-b302099a8057");
  private static final String STATUS = "{'task_id':'" + TASK + "','status':'running','last_seq':4}";
  private static final String ENDED =
      "{'task_id':'" + TASK + "','status':'exited','exit_code':3,'last_seq':9}";
  private static final ClientOptions QUICK =
      new ClientOptions(Duration.ofMillis(400), Duration.ofMillis(400), Duration.ofSeconds(5));

  @TempDir Path folder;

  @Test
  void a_spawn_whose_answer_was_lost_is_sent_again_under_the_same_key() throws Exception {
    try (var server =
            unix((request, out) -> {
              switch (request.number()) {
                case 1 -> out.json(STATUS);
                case 2, 3 -> out.cut();
                default ->
                    out.answer(
                        201,
                        "",
                        ("{\"task_id\":\"" + TASK + "\"}").getBytes(StandardCharsets.UTF_8));
              }
            });
        var client = ErrandClient.connect(home())) {
      client.status(TASK);

      assertThat(client.spawn(NewTask.shell("make"))).isEqualTo(TASK);

      var spawns = server.requests().subList(1, 4);
      assertThat(spawns).allMatch(it -> it.method().equals("POST") && it.target().equals("/tasks"));
      assertThat(spawns).extracting(it -> it.header("Idempotency-Key")).doesNotContain("");
      assertThat(spawns.stream().map(it -> it.header("Idempotency-Key")).distinct()).hasSize(1);
    }
  }

  @Test
  void what_the_builder_makes_is_what_the_daemon_takes() {
    var body =
        NewTask.program(List.of("make", "-j2"))
            .cwd("/srv")
            .env("A", "b")
            .title("T")
            .label("l")
            .session("s")
            .originSession("o")
            .timeout(Duration.ofMillis(1500))
            .idleTimeout(Duration.ofSeconds(9))
            .grace(Duration.ofSeconds(1))
            .drain(Duration.ZERO)
            .onRestart("requeue")
            .onOutputLimit("kill")
            .leftover("keep")
            .outputBytesMax(8192)
            .withStdin()
            .watch("each", TaskCondition.regex("a"))
            .watchOnce("first", TaskCondition.regex("b"))
            .encode();

    var request = SpawnRequest.of(Json.readRequest(body));

    assertThat(request.watching().watchers())
        .extracting(it -> it.event() + " " + it.once())
        .containsExactly("each false", "first true");
    assertThat(request.limits().wall()).hasMillis(1500);
    assertThat(request.work().cwd()).isEqualTo("/srv");
    assertThat(request.io().stdin()).isTrue();
    assertThat(request.io().capBytes()).isEqualTo(8192);
    assertThat(request.names().label()).isEqualTo("l");
  }

  @Test
  void a_daemon_that_is_not_ready_says_so() throws Exception {
    assertThat(ErrandClient.daemonOf(home())).isEmpty();
    try (var _ =
            unix((request, out) -> {
              if (request.number() <= 2) {
                out.problem(503, "{'code':'NOT_READY','detail':'not yet'}");
              } else {
                out.json("{}");
              }
            });
        var client = ErrandClient.connect(home(), QUICK)) {
      assertThat(client.isReady()).isFalse();
      assertThat(client.notReady()).contains("not yet");
      assertThat(client.isReady()).isTrue();
      assertThat(client.notReady()).isEmpty();
      assertThat(ErrandClient.daemonOf(home())).isPresent();
    }
  }

  @Test
  void a_refusal_is_an_exception_with_its_code_and_facts() throws Exception {
    try (var _ =
            unix((_, out) ->
                out.problem(410, "{'code':'OUTPUT_DROPPED','detail':'gone','next_offset':512}"));
        var client = ErrandClient.connect(home())) {
      var failure =
          catchThrowableOfType(
              ErrandException.class, () -> client.output(TASK, LogStream.STDOUT, 7, 100));

      assertThat(failure.code()).isEqualTo(ErrorCode.OUTPUT_DROPPED);
      assertThat(failure.facts()).containsEntry("next_offset", 512L);
    }
  }

  @Test
  void output_comes_as_exact_bytes_with_its_place() throws Exception {
    var bytes = new byte[] {0, (byte) 0xFF, '\n', (byte) 0xC3};
    try (var server =
            unix((_, out) -> out.answer(200, "Errand-Offset: 7\r\nErrand-Total: 99\r\n", bytes));
        var client = ErrandClient.connect(home())) {
      var part = client.output(TASK, LogStream.STDERR, 7, 100);

      assertThat(part.bytes()).isEqualTo(bytes);
      assertThat(part.next()).isEqualTo(11);
      assertThat(part.total()).isEqualTo(99);
      var request = server.requests().getFirst();
      assertThat(request.target())
          .isEqualTo("/tasks/" + TASK + "/output?stream=stderr&offset_bytes=7&max_bytes=100");
      assertThat(request.header("Accept")).isEqualTo("application/octet-stream");
    }
  }

  @Test
  void a_terminal_is_asked_for_typed_at_and_resized() throws Exception {
    var sized = STATUS.replace("'running'", "'running','rows':50,'cols':132,'bytes_written':5");
    try (var server = unix((_, out) -> out.json(sized));
        var client = ErrandClient.connect(home())) {
      client.spawn(NewTask.shell("vim").pty(30, 100));
      assertThat(client.keys(TASK, List.of("C-c", "Enter"))).isEqualTo(5);
      var size = new TerminalSize(50, 132);
      assertThat(client.resize(TASK, size).terminal()).isEqualTo(size);

      var requests = server.requests();
      assertThat(requests.getFirst().body())
          .contains("\"execution_mode\":\"pty\"", "\"rows\":30,\"cols\":100");
      assertThat(requests.get(1).body()).isEqualTo("{\"keys\":[\"C-c\",\"Enter\"]}");
      assertThat(requests.get(2).target()).isEqualTo("/tasks/" + TASK + "/resize");
      assertThat(requests.get(2).body()).isEqualTo("{\"rows\":50,\"cols\":132}");
    }
  }

  @Test
  void waiting_asks_again_until_the_task_is_over() throws Exception {
    try (var server = unix((request, out) -> out.json(request.number() < 3 ? STATUS : ENDED));
        var client = ErrandClient.connect(home())) {
      var status = client.waitEnd(TASK, Duration.ofMinutes(5));

      assertThat(status.exitCode()).isEqualTo(3);
      assertThat(server.requests()).hasSize(3);
      assertThat(server.requests().getFirst().target()).isEqualTo("/tasks/" + TASK + "/wait");
      assertThat(server.requests().getFirst().body()).isEqualTo("{\"timeout_ms\":60000}");
    }
  }

  @Test
  void awaiting_goes_on_where_the_last_search_stopped() throws Exception {
    var late = "{'status':'running','timed_out':true,'held':null,'searched_to':{'stdout':70}}";
    var held =
        "{'status':'running','timed_out':false,'held':{'index':1,'kind':'text','seq':8,'snippet':'ok'}}";
    try (var server = unix((request, out) -> out.json(request.number() < 2 ? late : held));
        var client = ErrandClient.connect(home())) {
      var until = Until.any(Until.exit(), Until.text("o?k", LogStream.STDOUT), Until.port(80));
      var awaited = client.await(TASK, until, Duration.ofMinutes(5));

      assertThat(awaited.timedOut()).isFalse();
      assertThat(awaited.held()).isNotNull();
      assertThat(awaited.status().status()).isEqualTo("running");
      assertThat(server.requests()).hasSize(2);
      assertThat(server.requests().getFirst().body())
          .isEqualTo(
              "{\"until\":{\"any\":[\"exit\",{\"text\":\"o?k\",\"stream\":\"stdout\"},{\"port\":80}]},"
                  + "\"timeout_ms\":60000}");
      assertThat(server.requests().getLast().body()).contains("\"from_offset\":{\"stdout\":70}");
    }
  }

  @Test
  void a_daemon_that_does_not_know_of_restarts_is_merely_stopped() throws Exception {
    try (var server =
            unix((request, out) -> {
              if (request.body().contains("restart")) {
                out.problem(400, "{'code':'INVALID_REQUEST','detail':'there is no field restart'}");
              } else {
                out.json("{'stopping':true,'all':false}");
              }
            });
        var client = ErrandClient.connect(home())) {
      assertThat(client.shutdownForRestart().text("on_stop", "none said")).isEqualTo("none said");

      assertThat(server.requests())
          .extracting(it -> it.body())
          .containsExactly("{\"restart\":true}", "{\"all\":false}");
    }
  }

  @Test
  void control_calls_say_what_they_want() throws Exception {
    try (var server =
            unix((request, out) -> {
              if (request.target().contains("cancel")) {
                out.json(ENDED);
              } else if (request.method().equals("DELETE")) {
                out.raw("HTTP/1.1 204 No Content\r\n\r\n");
              } else {
                out.json("{'bytes_written':2,'removed':0}");
              }
            });
        var client = ErrandClient.connect(home())) {
      assertThat(client.cancel(TASK, "enough", Duration.ofSeconds(5)).isEnded()).isTrue();
      client.signal(TASK, "INT");
      assertThat(client.stdin(TASK, new byte[] {'h', 'i'}, true, "op-1")).isEqualTo(2);
      client.remove(TASK);
      client.gc();
      client.shutdown(true);

      var requests = server.requests();
      assertThat(requests)
          .extracting(
              it -> it.method() + " " + it.target().replace(TASK.value(), "T") + " " + it.body())
          .containsExactly(
              "POST /tasks/T/cancel?wait=5 {\"reason\":\"enough\"}",
              "POST /tasks/T/signal {\"signal\":\"INT\"}",
              "POST /tasks/T/stdin {\"chunk_b64\":\"aGk=\",\"eof\":true,\"secret\":false}",
              "DELETE /tasks/T ",
              "POST /admin/gc ",
              "POST /admin/shutdown {\"all\":true}");
      assertThat(requests.get(2).header("Idempotency-Key")).isEqualTo("op-1");
      assertThat(requests).allMatch(it -> !it.header("Idempotency-Key").isEmpty());
      assertThat(server.connections()).isEqualTo(1);
    }
  }

  @Test
  void pages_lead_to_the_next_one() throws Exception {
    try (var server =
            unix((request, out) -> {
              var more =
                  request.target().contains("cursor")
                      ? ""
                      : "Link: </tasks?cursor=x%2B>; rel=\"next\"\r\n";
              out.answer(
                  200,
                  more,
                  ("[" + STATUS.replace('\'', '"') + "]").getBytes(StandardCharsets.UTF_8));
            });
        var client = ErrandClient.connect(home())) {
      var page = client.list(TaskFilter.ALL.session("a b").active(true).limit(1));
      var next = client.next(page).orElseThrow();

      assertThat(page.tasks()).hasSize(1);
      assertThat(next.next()).isNull();
      assertThat(client.next(next)).isEmpty();
      assertThat(server.requests())
          .extracting(ScriptedServer.Request::target)
          .containsExactly("/tasks?session_id=a+b&active=true&limit=1", "/tasks?cursor=x%2B");
    }
  }

  @Test
  void copying_an_artifact_goes_on_where_the_connection_was_lost() throws Exception {
    try (var server =
            unix((request, out) -> {
              if (request.method().equals("HEAD")) {
                out.raw("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n");
              } else if (request.header("Range").equals("bytes=0-")) {
                out.raw("HTTP/1.1 206 X\r\nContent-Length: 10\r\n\r\n01234");
                out.cut();
              } else {
                out.answer(206, "", "56789".getBytes(StandardCharsets.UTF_8));
              }
            });
        var client = ErrandClient.connect(home())) {
      var copy = new ByteArrayOutputStream();

      assertThat(client.artifacts().copy("ab", copy)).isEqualTo(10);

      assertThat(copy.toString(StandardCharsets.UTF_8)).isEqualTo("0123456789");
      assertThat(server.requests().getLast().header("Range")).isEqualTo("bytes=5-");
    }
  }

  @Test
  void an_artifact_is_put_from_a_file() throws Exception {
    var file = folder.resolve("content");
    Files.writeString(file, "x".repeat(100_000));
    try (var server = unix((_, out) -> out.json("{'artifact_id':'abc'}"));
        var client = ErrandClient.connect(home())) {
      assertThat(client.artifacts().put(file)).isEqualTo("abc");
      assertThat(server.requests().getFirst().body()).hasSize(100_000);
    }
  }

  private ErrandHome home() {
    return new ErrandHome(folder);
  }

  private ScriptedServer unix(ScriptedServer.Script script) throws IOException {
    return ScriptedServer.unix(home(), "s", script);
  }
}
