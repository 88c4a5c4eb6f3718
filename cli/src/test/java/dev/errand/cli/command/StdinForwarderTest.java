package dev.errand.cli.command;

import static dev.errand.cli.command.CliFixture.ID;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.errand.core.task.TaskId;
import dev.errand.wire.client.ErrandClient;
import dev.errand.wire.home.ErrandHome;
import dev.errand.wire.json.JsonFields;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class StdinForwarderTest {
  private static final String STDIN = "POST /tasks/" + ID + "/stdin";

  @TempDir private Path folder;

  @Test
  void all_bytes_go_in_order_in_small_pieces_and_then_the_end() throws IOException {
    var bytes = new byte[20_000];
    for (var i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) i;
    }
    var home = new ErrandHome(folder);
    try (var daemon = FakeDaemon.in(home).on(STDIN, "{'bytes_written':8192}");
        var client = ErrandClient.connect(home)) {
      assertThat(forwarder(client, bytes).forward(true)).isTrue();

      var sent = sent(daemon);
      assertThat(sent).allMatch(it -> chunk(it).length <= 8 * 1024);
      assertThat(joined(sent)).isEqualTo(bytes);
      assertThat(sent.getLast().bool("eof", false)).isTrue();
      assertThat(sent.subList(0, sent.size() - 1)).noneMatch(it -> it.bool("eof", false));
    }
  }

  @Test
  void a_task_that_wants_no_more_ends_it() throws IOException {
    var home = new ErrandHome(folder);
    var closed = "{\"code\":\"STDIN_CLOSED\",\"detail\":\"closed\"}";
    try (var daemon = FakeDaemon.in(home).on(STDIN, 409, "application/problem+json", closed);
        var client = ErrandClient.connect(home)) {
      assertThat(forwarder(client, new byte[20_000]).forward(true)).isFalse();
      assertThat(sent(daemon)).hasSize(1);
    }
  }

  @Test
  void what_a_full_pipe_did_not_take_is_sent_again_without_what_it_took() throws IOException {
    var home = new ErrandHome(folder);
    var full = "{\"code\":\"STDIN_FULL\",\"detail\":\"full\",\"bytes_written\":2}";
    try (var daemon = FakeDaemon.in(home).on(STDIN, 429, "application/problem+json", full);
        var client = ErrandClient.connect(home)) {
      var forwarding =
          Thread.ofVirtual()
              .start(() -> forwarder(client, "abcdef".getBytes(UTF_8)).forward(false));
      await().until(() -> sent(daemon).size() >= 2);
      daemon.on(STDIN, "{}");
      await().until(() -> !forwarding.isAlive());

      assertThat(chunk(sent(daemon).get(0))).asString(UTF_8).isEqualTo("abcdef");
      assertThat(chunk(sent(daemon).get(1))).asString(UTF_8).isEqualTo("cdef");
    }
  }

  private static StdinForwarder forwarder(ErrandClient client, byte[] bytes) {
    return new StdinForwarder(client, new TaskId(ID), new ByteArrayInputStream(bytes));
  }

  private static List<JsonFields> sent(FakeDaemon daemon) {
    return daemon.requests().stream().map(it -> JsonFields.of(it.body().getBytes(UTF_8))).toList();
  }

  private static byte[] chunk(JsonFields body) {
    return Base64.getDecoder().decode(body.text("chunk_b64"));
  }

  private static byte[] joined(List<JsonFields> bodies) {
    var all = new ByteArrayOutputStream();
    bodies.forEach(it -> all.writeBytes(chunk(it)));
    return all.toByteArray();
  }
}
