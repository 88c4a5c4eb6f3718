package dev.errand.daemon.surface.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.errand.core.error.ErrandException;
import dev.errand.core.task.LogStream;
import dev.errand.wire.client.ClientOptions;
import dev.errand.wire.client.ErrandClient;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The Java client and the surface understand each other. */
final class ClientTest {
  @TempDir Path folder;
  private Surface surface;
  private ErrandClient client;

  @BeforeEach
  void start() throws IOException {
    surface = Surface.start(folder);
    var base = URI.create("http://" + surface.tcpHost());
    client = ErrandClient.connect(base, surface.owner("sdk"), ClientOptions.DEFAULT);
  }

  @AfterEach
  void stop() {
    client.close();
    surface.close();
  }

  @Test
  @Timeout(10)
  void each_frame_arrives_when_it_happens_and_not_with_the_next_sign_of_life() throws IOException {
    var taskId = surface.running();
    try (var events = client.events(taskId, -1)) {
      for (var seq = 0; seq < 3; seq++) {
        assertThat(events.next()).isNotNull();
      }
      for (var seq = 3; seq < 50; seq++) {
        surface.hosts.write(taskId, LogStream.STDOUT, "line\n");
        var frame = events.next();
        assertThat(frame == null ? -1 : frame.seq()).isEqualTo(seq);
      }
    }
  }

  @Test
  @Timeout(10)
  void output_controls_and_artifacts_go_both_ways() throws IOException {
    var taskId = surface.running();
    surface.hosts.write(taskId, LogStream.STDOUT, "hello");

    assertThat(client.stdin(taskId, "yes\n".getBytes(StandardCharsets.UTF_8), false)).isEqualTo(4);
    client.signal(taskId, "INT");
    assertThat(client.cancel(taskId, "enough", null).isEnded()).isFalse();
    surface.hosts.exit(taskId, 143, "cancel");
    assertThat(client.waitEnd(taskId, Duration.ofSeconds(5)).isEnded()).isTrue();
    assertThat(client.output(taskId, LogStream.STDOUT, 1, 3).bytes())
        .isEqualTo("ell".getBytes(StandardCharsets.UTF_8));
    var seen = new ByteArrayOutputStream();
    var artifact = client.artifacts().put("content".getBytes(StandardCharsets.UTF_8));
    assertThat(client.artifacts().copy(artifact, seen)).isEqualTo(7);
    client.remove(taskId);
    assertThatThrownBy(() -> client.status(taskId))
        .isInstanceOf(ErrandException.class)
        .hasMessageContaining("removed");
    assertThat(client.version().text("version")).isEqualTo("0.1.0");
  }
}
