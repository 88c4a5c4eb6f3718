package dev.errand.daemon.surface.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskId;
import dev.errand.daemon.config.Config;
import dev.errand.testkit.SettableClock;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What attached clients should not send: it is refused in words or by a code, and harms nobody. */
@Timeout(30)
final class AttachBadInputTest {
  @TempDir Path folder;
  private Surface surface;

  @BeforeEach
  void start() throws IOException {
    surface = Surface.start(folder, "[attach]\nmax_message_bytes = \"16KiB\"\n");
  }

  @AfterEach
  void stop() {
    surface.close();
  }

  private static String target(TaskId taskId, String query) {
    return "/tasks/" + taskId + "/attach?stream=stdout" + query;
  }

  private SocketWire attach(TaskId taskId, String query) throws IOException {
    return SocketWire.open(surface.unix(), target(taskId, query), Map.of());
  }

  @Test
  void what_is_no_message_is_refused_in_words_and_ends_the_connection() throws IOException {
    refused("{\"type\":", 1007, "JSON");
    refused("[]", 1007, "JSON object");
    refused("{\"text\":\"x\"}", 1007, "type");
    refused("{\"type\":\"dance\"}", 1003, "stdin, resize or ping");
    refused("{\"type\":\"stdin\",\"text\":\"%s\"}".formatted("x".repeat(20_000)), 1009, "16384");
  }

  private void refused(String message, int closeCode, String words) throws IOException {
    var taskId = surface.running();
    try (var client = attach(taskId, "")) {
      client.message("hello");
      client.text(message);
      var error = client.message("error");
      assertThat(error.path("message").stringValue("")).contains(words);
      assertThat(client.next().closeCode()).isEqualTo(closeCode);
    }
    assertThat(surface.hosts.applied()).isEmpty();
  }

  @Test
  void a_message_of_an_unknown_type_is_answered_by_its_id_before_the_end() throws IOException {
    var taskId = surface.running();
    try (var client = attach(taskId, "")) {
      client.text("{\"type\":\"shout\",\"write_id\":\"w9\"}");

      assertThat(client.message("error").path("write_id").stringValue("")).isEqualTo("w9");
    }
  }

  @Test
  void a_message_with_wrong_fields_is_refused_and_the_connection_stays() throws IOException {
    var taskId = surface.running();
    try (var client = attach(taskId, "")) {
      client.text("{\"type\":\"stdin\",\"text\":\"a\",\"chunk_b64\":\"aGk=\"}");
      client.message("error");
      client.text("{\"type\":\"stdin\",\"chunk_b64\":\"?\"}");
      client.message("error");
      client.text("{\"type\":\"stdin\",\"speed\":1}");
      client.message("error");
      client.text("{\"type\":\"stdin\",\"text\":7,\"write_id\":\"w8\"}");
      assertThat(client.message("error").path("write_id").stringValue("")).isEqualTo("w8");
      client.text("{\"type\":\"resize\",\"rows\":0,\"cols\":80}");
      client.message("error");
      client.text("{\"type\":\"stdin\",\"text\":\"%s\"}".formatted("x".repeat(8_193)));
      assertThat(client.message("error").path("code").stringValue("")).isEqualTo("TOO_LARGE");
      client.text("{\"type\":\"ping\"}");
      client.message("pong");
    }
    assertThat(surface.hosts.applied()).isEmpty();
  }

  @Test
  void a_message_in_parts_is_one_message() throws IOException {
    var taskId = surface.running();
    try (var client = attach(taskId, "")) {
      var text = "{\"type\":\"stdin\",\"text\":\"häl\",\"write_id\":\"1\"}";
      var bytes = text.getBytes(StandardCharsets.UTF_8);
      for (var i = 0; i < bytes.length; i++) {
        var last = i == bytes.length - 1;
        client.frame(last, i == 0 ? SocketWire.TEXT : SocketWire.CONTINUATION, at(bytes, i), true);
        client.frame(true, SocketWire.PING, new byte[0], true);
      }
      client.message("ack");
    }
    assertThat(surface.hosts.applied()).containsExactly("stdin häl");
  }

  private static byte[] at(byte[] bytes, int index) {
    return new byte[] {bytes[index]};
  }

  @Test
  void binary_input_is_refused_in_words() throws IOException {
    try (var client = attach(surface.running(), "")) {
      client.frame(true, SocketWire.BINARY, new byte[] {1, 2, 3}, true);
      assertThat(client.message("error").path("message").stringValue("")).contains("text");
      assertThat(client.next().closeCode()).isEqualTo(1003);
    }
  }

  @Test
  void broken_frames_end_the_connection_by_their_code_and_harm_nobody() throws IOException {
    var taskId = surface.running();
    try (var other = attach(taskId, "")) {
      other.message("hello");
      broken(taskId, 1007, new byte[] {(byte) 0x81, (byte) 0x82, 0, 0, 0, 0, (byte) 0xFF, 'x'});
      broken(taskId, 1002, new byte[] {(byte) 0x81, 1, 'x'}); // not masked
      broken(taskId, 1002, new byte[] {(byte) 0x83, (byte) 0x80, 0, 0, 0, 0}); // no such opcode
      broken(taskId, 1002, new byte[] {(byte) 0x80, (byte) 0x80, 0, 0, 0, 0}); // begins nowhere
      broken(taskId, 1002, new byte[] {(byte) 0xF1, (byte) 0x80, 0, 0, 0, 0}); // reserved bits
      broken(taskId, 1002, new byte[] {0x09, (byte) 0x80, 0, 0, 0, 0}); // a ping in parts
      surface.hosts.write(taskId, LogStream.STDOUT, "fine");
      assertThat(other.next().output()).isEqualTo("fine");
    }
    assertThat(surface.hosts.applied()).isEmpty();
  }

  private void broken(TaskId taskId, int closeCode, byte[] frame) throws IOException {
    try (var client = attach(taskId, "")) {
      client.message("hello");
      client.send(frame);
      assertThat(client.next().closeCode()).isEqualTo(closeCode);
      assertThatThrownBy(client::next).isInstanceOf(EOFException.class);
    }
    await().until(() -> surface.http.waiting() == 1);
  }

  @Test
  void a_client_that_answers_no_ping_is_cut() throws Exception {
    var clock = new SettableClock(Instant.EPOCH);
    try (var moved = Surface.start(folder.resolve("moved"), clock);
        var client = SocketWire.open(moved.unix(), target(moved.running(), ""), Map.of());
        var reading = Executors.newVirtualThreadPerTaskExecutor()) {
      client.message("hello");
      var ping = reading.submit(client::any);
      var code =
          reading.submit(() -> {
            ping.get();
            return client.next().closeCode();
          });

      await()
          .until(() -> {
            clock.advance(Config.DEFAULTS.attaching().ping());
            return code.isDone();
          });

      assertThat(ping.get().opcode()).isEqualTo(SocketWire.PING);
      assertThat(code.get()).isEqualTo(1000);
      await().until(() -> moved.http.waiting() == 0);
    }
  }

  @Test
  void a_connection_that_is_lost_in_the_middle_of_a_frame_leaves_nothing_behind()
      throws IOException {
    var taskId = surface.running();
    try (var client = attach(taskId, "")) {
      client.message("hello");
      client.send(new byte[] {(byte) 0x81, (byte) 0xFE});
    }
    await().until(() -> surface.http.waiting() == 0);
    assertThat(surface.hosts.applied()).isEmpty();
  }
}
