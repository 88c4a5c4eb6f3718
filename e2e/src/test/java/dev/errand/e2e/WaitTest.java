package dev.errand.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskId;
import dev.errand.wire.client.NewTask;
import dev.errand.wire.client.Until;
import dev.errand.wire.client.WaitResult;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Waiting for real processes: what they write, that they are silent, that they listen. */
@Timeout(120)
final class WaitTest extends DaemonCase {
  private static Path server;

  @BeforeAll
  static void write_a_server() throws Exception {
    server =
        Files.writeString(
            sandbox.folder().resolve("Server.java"),
            """
            import java.net.*;
            class Server {
              public static void main(String[] a) throws Exception {
                var port = Integer.parseInt(a[0]);
                try (var s = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                  System.out.println("listening on " + s.getLocalPort());
                  Thread.sleep(600_000);
                }
              }
            }
            """);
  }

  @Test
  void a_server_is_waited_for_by_its_port_and_one_of_somebody_else_does_not_count()
      throws Exception {
    var port = freePort();
    var other = client.spawn(NewTask.shell("exec sleep 600"));
    var web = client.spawn(NewTask.shell("sleep 0.3; " + serverOn(port) + " & wait"));

    var held = held(client.await(web, Until.port(port), Sandbox.PATIENCE));

    assertThat(held.kind()).isEqualTo("port");
    assertThat(held.fields().number("port")).isEqualTo(port);
    assertThat(held.fields().text("address")).contains("127.0.0.1:" + port);
    // The server is a child of the task's shell.
    var pid = held.fields().number("pid");
    assertThat(pid).isNotEqualTo(client.status(web).pid());
    assertThat(Files.readString(Path.of("/proc/" + pid + "/cmdline"))).contains("Server.java");
    // Of the other task, nothing listens, though the port is taken.
    assertThat(client.await(other, Until.port(port), Duration.ofMillis(600)).timedOut()).isTrue();
    try (var stranger = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      var foreign = Until.port(stranger.getLocalPort());
      assertThat(client.await(web, foreign, Duration.ofMillis(600)).timedOut()).isTrue();
    }
    client.cancel(web, null, Duration.ofSeconds(10));
    client.cancel(other, null, Duration.ofSeconds(10));
  }

  @Test
  void a_text_is_found_that_is_written_in_many_parts() {
    var line =
        "printf 'server is '; for c in l i s t e n i n g; do printf $c; sleep 0.05; done; "
            + "printf ' on 80'; sleep 0.05; printf '80\\n'; sleep 600";
    var taskId = client.spawn(NewTask.shell(line));

    var held = held(client.await(taskId, Until.text("listening on \\d+"), Sandbox.PATIENCE));

    assertThat(held.snippet()).isEqualTo("server is listening on 8080");
    assertThat(held.fields().number("offset")).isEqualTo(10);
    assertThat(held.fields().number("end_offset")).isEqualTo(27);
    var frame =
        Recording.frames(client, taskId).stream().filter(it -> it.seq() == held.seq()).findFirst();
    assertThat(frame.orElseThrow().fields().text("stream")).isEqualTo("stdout");
    client.cancel(taskId, null, Duration.ofSeconds(10));
  }

  @Test
  void silence_is_noticed_while_a_task_that_writes_is_not_silent() {
    var taskId =
        client.spawn(
            NewTask.shell("for i in 1 2 3 4 5 6 7 8; do echo $i; sleep 0.1; done; sleep 600"));

    var held = held(client.await(taskId, Until.idle(Duration.ofSeconds(1)), Sandbox.PATIENCE));

    assertThat(held.kind()).isEqualTo("idle_ms");
    assertThat(client.status(taskId).bytesTotal(LogStream.STDOUT)).isEqualTo(16);
    client.cancel(taskId, null, Duration.ofSeconds(10));
  }

  @Test
  void of_several_conditions_the_first_that_holds_is_told() {
    var taskId = client.spawn(NewTask.shell("sleep 0.2; echo 'fatal: no' >&2; sleep 600"));
    var until =
        Until.any(
            Until.port(1),
            Until.text("^ready"),
            Until.text("^fatal", LogStream.STDERR),
            Until.exit());

    var held = held(client.await(taskId, until, Sandbox.PATIENCE));

    assertThat(held.index()).isEqualTo(2);
    assertThat(held.snippet()).isEqualTo("fatal: no");
    client.cancel(taskId, null, Duration.ofSeconds(10));
  }

  @Test
  void a_task_that_ends_first_is_told_at_once_and_its_last_bytes_count() {
    var taskId = client.spawn(NewTask.shell("sleep 0.3; printf 'the end'; exit 3"));

    var never = client.await(taskId, Until.text("nowhere"), Sandbox.PATIENCE);
    var last = held(client.await(taskId, Until.text("end$"), Sandbox.PATIENCE));

    assertThat(never.held()).isNull();
    assertThat(never.timedOut()).isFalse();
    assertThat(never.status().exitCode()).isEqualTo(3);
    assertThat(last.fields().number("offset")).isEqualTo(4);
  }

  @Test
  void a_log_of_64_mib_is_searched_to_its_end() {
    var taskId =
        client.spawn(NewTask.shell("yes 0123456789abcdef | head -c 67108864; echo needle"));

    var held = held(client.await(taskId, Until.text("need[l]e"), Sandbox.PATIENCE));

    assertThat(held.fields().number("offset")).isEqualTo(67_108_864);
  }

  @Test
  void the_command_line_waits_and_tells_by_its_code() throws Exception {
    var taskId = client.spawn(NewTask.shell("echo ready; sleep 600")).value();

    var ready = sandbox.errand("wait", taskId, "--until", "text:read.", "--timeout", "30s");
    var late = sandbox.errand("wait", taskId, "--until", "port:1", "--timeout", "300ms");
    client.cancel(new TaskId(taskId), null, Duration.ofSeconds(10));
    var over = sandbox.errand("wait", taskId, "--until", "text:never", "--json");

    assertThat(ready.line()).endsWith("text stdout@0 ready");
    assertThat(late.code()).isEqualTo(124);
    assertThat(over.code()).isEqualTo(6);
    assertThat(over.out()).contains("\"ended\":true", "\"held\":null");
  }

  @Test
  void a_wait_goes_on_when_the_daemon_is_killed_and_comes_back() throws Exception {
    try (var own = Sandbox.create();
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      own.serve();
      try (var waiting = own.client()) {
        var go = own.folder().resolve("go");
        var taskId =
            waiting.spawn(
                NewTask.shell(
                    "printf before; until [ -e '"
                        + go
                        + "' ]; do sleep 0.05; done; "
                        + "echo ' after'; sleep 600"));
        var answer =
            threads.submit(
                (Callable<WaitResult>)
                    () -> waiting.await(taskId, Until.text("before after"), Sandbox.PATIENCE));
        await().until(() -> waiting.status(taskId).bytesTotal(LogStream.STDOUT) == 6);

        own.killDaemon();
        Files.createFile(go);
        own.serve();

        assertThat(held(answer.get()).fields().number("offset")).isZero();
      }
    }
  }

  private static WaitResult.Held held(WaitResult awaited) {
    return Objects.requireNonNull(awaited.held(), () -> "nothing held: " + awaited.status().text());
  }

  private static String serverOn(int port) {
    var java = Path.of(System.getProperty("java.home"), "bin", "java");
    return "'" + java + "' '" + server + "' " + port;
  }

  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
