package dev.errand.wire.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.errand.core.error.ErrandException;
import dev.errand.core.task.TaskId;
import dev.errand.wire.home.ErrandHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
class TransportTest {
  private static final TaskId TASK = new TaskId("01890a5d-ac96-774b-bcce-b302099a8057");
  private static final String STATUS = "{'task_id':'" + TASK + "','status':'running','last_seq':4}";
  private static final ClientOptions QUICK =
      new ClientOptions(Duration.ofMillis(400), Duration.ofMillis(400), Duration.ofSeconds(5));

  @TempDir Path folder;

  @Test
  void calls_share_a_kept_connection_over_a_unix_socket() throws Exception {
    try (var server = unix((_, out) -> out.json(STATUS));
        var client = ErrandClient.connect(home())) {
      assertThat(client.status(TASK).status()).isEqualTo("running");
      assertThat(client.status(TASK).lastSeq()).isEqualTo(4);

      assertThat(server.connections()).isEqualTo(1);
      assertThat(server.requests()).hasSize(2);
      assertThat(server.requests().getFirst().target()).isEqualTo("/tasks/" + TASK);
      assertThat(server.requests().getFirst().header("Host")).isEqualTo("localhost");
    }
  }

  @Test
  void calls_over_tcp_carry_the_token() throws Exception {
    try (var server = ScriptedServer.tcp((_, out) -> out.json(STATUS));
        var client = ErrandClient.connect(server.base(), "s3cret", QUICK)) {
      client.status(TASK);
      client.status(TASK);

      assertThat(server.connections()).isEqualTo(1);
      assertThat(server.requests().getFirst().header("Authorization")).isEqualTo("Bearer s3cret");
    }
  }

  @Test
  void a_chunked_answer_is_put_together_and_its_connection_kept() throws Exception {
    try (var server =
            unix((_, out) -> {
              out.stream();
              out.chunk("{\"task_id\":\"" + TASK + "\",");
              out.raw("14;x=y\r\n\"status\":\"cancelled\"\r\n");
              out.chunk("}");
              out.raw("0\r\nTrailer: x\r\n\r\n");
            });
        var client = ErrandClient.connect(home())) {
      client.status(TASK);

      assertThat(client.status(TASK).isEnded()).isTrue();
      assertThat(server.connections()).isEqualTo(1);
    }
  }

  @Test
  void an_answer_without_length_ends_with_its_connection() throws Exception {
    try (var server =
            unix((_, out) -> {
              out.raw("HTTP/1.1 200 OK\r\n\r\n" + STATUS.replace('\'', '"'));
              out.cut();
            });
        var client = ErrandClient.connect(home())) {
      assertThat(client.status(TASK).status()).isEqualTo("running");
      assertThat(client.status(TASK).status()).isEqualTo("running");
      assertThat(server.connections()).isEqualTo(2);
    }
  }

  @Test
  void a_kept_connection_that_was_closed_meanwhile_is_replaced_at_once() throws Exception {
    try (var server =
            unix((request, out) -> {
              if (request.number() == 2) {
                out.cut();
                return;
              }
              out.json(STATUS);
            });
        var client = ErrandClient.connect(home())) {
      client.status(TASK);
      client.status(TASK);

      assertThat(server.connections()).isEqualTo(2);
    }
  }

  @Test
  void without_a_daemon_the_first_call_says_so_at_once() {
    try (var client = ErrandClient.connect(home())) {
      assertThatThrownBy(() -> client.status(TASK)).isInstanceOf(NoDaemonException.class);
      assertThat(client.isHealthy()).isFalse();
    }
  }

  @Test
  void a_daemon_is_reached_without_a_request_and_waited_for_from_then_on() throws Exception {
    var server = unix((_, out) -> out.json(STATUS));
    try (var client = ErrandClient.connect(home())) {
      client.reach();
      assertThat(server.requests()).isEmpty();
      server.close();

      var caller = new FutureTask<>(() -> client.status(TASK).status());
      Thread.ofVirtual().start(caller);
      try (var next = unix("next", (_, out) -> out.json(STATUS))) {
        assertThat(caller.get()).isEqualTo("running");
        assertThat(next.requests()).hasSize(1);
      }
    }
  }

  @Test
  void a_daemon_that_was_never_there_cannot_be_reached() {
    try (var client = ErrandClient.connect(home())) {
      assertThatThrownBy(client::reach).isInstanceOf(NoDaemonException.class);
    }
  }

  @Test
  void a_daemon_where_it_is_expected_is_found_without_its_file() throws Exception {
    var place = home().socket().getFileName().toString();
    try (var server = unix(place, (_, out) -> out.json(STATUS));
        var client = ErrandClient.connect(home())) {
      Files.delete(home().daemonFile());

      assertThat(client.status(TASK).status()).isEqualTo("running");
      assertThat(server.requests()).hasSize(1);
    }
  }

  @Test
  void a_client_that_ends_with_its_process_asks_nothing_more_when_closed() throws Exception {
    try (var _ = unix((_, out) -> out.json(STATUS))) {
      var client = ErrandClient.connect(home(), QUICK.endingWithProcess());
      client.status(TASK);
      client.close();

      assertThatThrownBy(() -> client.status(TASK)).isInstanceOf(CancellationException.class);
    }
  }

  @Test
  void a_daemon_file_that_outlived_its_daemon_is_no_daemon() throws Exception {
    ScriptedServer.publish(home(), folder.resolve("gone.sock"));
    try (var client = ErrandClient.connect(home())) {
      assertThatThrownBy(() -> client.status(TASK)).isInstanceOf(NoDaemonException.class);
    }
  }

  @Test
  void a_daemon_that_stays_away_is_given_up_when_patience_is_over() throws Exception {
    var server = unix((_, out) -> out.json(STATUS));
    try (var client = ErrandClient.connect(home(), QUICK)) {
      client.status(TASK);
      server.close();

      assertThatThrownBy(() -> client.status(TASK)).isInstanceOf(NoDaemonException.class);
    }
  }

  @Test
  void a_daemon_that_shuts_down_is_asked_again_when_the_next_one_is_there() throws Exception {
    try (var server =
            unix((request, out) -> {
              if (request.number() < 3) {
                out.problem(503, "{'code':'SHUTTING_DOWN','detail':'soon','retryable':true}");
              } else {
                out.json(STATUS);
              }
            });
        var client = ErrandClient.connect(home())) {
      assertThat(client.status(TASK).status()).isEqualTo("running");
      assertThat(server.requests()).hasSize(3);
    }
  }

  @Test
  void an_answer_over_the_bound_is_refused() throws Exception {
    try (var _ =
            unix((_, out) -> {
              out.raw("HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n");
              var block = new byte[1 << 20];
              for (var i = 0; i < 40; i++) {
                out.bytes(block);
              }
            });
        var client = ErrandClient.connect(home())) {
      assertThatThrownBy(() -> client.status(TASK))
          .isInstanceOf(ErrandException.class)
          .hasMessageContaining("more than");
    }
  }

  @Test
  void endless_headers_and_foreign_protocols_are_refused() throws Exception {
    for (var text :
        new String[] {"HTTP/1.1 200 OK\r\nX: " + "y".repeat(20_000), "SSH-2.0-x\r\n\r\n"}) {
      try (var _ = unix("h" + text.length(), (_, out) -> out.raw(text));
          var client = ErrandClient.connect(home())) {
        assertThatThrownBy(() -> client.status(TASK)).isInstanceOf(ErrandException.class);
      }
    }
  }

  @Test
  void a_daemon_that_does_not_answer_is_not_waited_for_for_ever() throws Exception {
    try (var _ = unix((_, _) -> {});
        var client = ErrandClient.connect(home(), QUICK)) {
      assertThatThrownBy(() -> client.status(TASK))
          .isInstanceOf(NoDaemonException.class)
          .hasMessageContaining("no answer");
    }
  }

  @Test
  void an_interrupted_caller_comes_back_with_its_interrupt() throws Exception {
    var asked = new CountDownLatch(1);
    var failure = new AtomicReference<Throwable>();
    try (var _ = unix((_, _) -> asked.countDown());
        var client = ErrandClient.connect(home())) {
      var caller =
          Thread.ofVirtual()
              .start(() -> {
                try {
                  client.status(TASK);
                } catch (CancellationException | NoDaemonException e) {
                  failure.set(e);
                  assertThat(Thread.currentThread().isInterrupted()).isTrue();
                }
              });
      asked.await();
      caller.interrupt();
      caller.join();

      assertThat(failure.get()).isInstanceOf(CancellationException.class);
    }
  }

  private ErrandHome home() {
    return new ErrandHome(folder);
  }

  private ScriptedServer unix(ScriptedServer.Script script) throws IOException {
    return unix("s", script);
  }

  private ScriptedServer unix(String name, ScriptedServer.Script script) throws IOException {
    return ScriptedServer.unix(home(), name, script);
  }
}
