package dev.errand.daemon.surface.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskId;
import dev.errand.wire.client.AttachEvent;
import dev.errand.wire.client.AttachOptions;
import dev.errand.wire.client.Attachment;
import dev.errand.wire.client.ClientOptions;
import dev.errand.wire.client.ErrandClient;
import dev.errand.wire.home.ErrandHome;
import dev.errand.wire.http.DaemonFile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The client that is attached, against the real surface, over connections that fail. */
@Timeout(60)
final class AttachClientTest {
  private static final AttachOptions STDOUT =
      AttachOptions.TERMINAL.stream(LogStream.STDOUT).from(0);

  @TempDir Path folder;
  private Surface surface;

  @BeforeEach
  void start() throws IOException {
    surface = Surface.start(folder);
  }

  @AfterEach
  void stop() {
    surface.close();
  }

  /** A client over a Unix socket that leads through the relay. */
  private ErrandClient throughRelay(Path socket) throws IOException {
    var home = new ErrandHome(Files.createDirectory(folder.resolve("home")));
    var file = new DaemonFile(1, null, null, socket.toString(), Instant.EPOCH, null);
    Files.write(home.daemonFile(), file.encode());
    return ErrandClient.connect(home);
  }

  private ErrandClient overTcp(String token) {
    return ErrandClient.connect(
        URI.create("http://" + surface.tcpHost()), token, ClientOptions.DEFAULT);
  }

  private static <T extends AttachEvent> T expect(Attachment attachment, Class<T> type) {
    for (var event = attachment.next(); event != null; event = attachment.next()) {
      if (type.isInstance(event)) {
        return type.cast(event);
      }
    }
    throw new AssertionError("no " + type.getSimpleName() + " came");
  }

  private static String text(AttachEvent.Output output) {
    return new String(output.bytes(), StandardCharsets.UTF_8);
  }

  @Test
  void what_a_task_writes_comes_and_what_is_typed_goes_over_tcp() throws IOException {
    var taskId = surface.running();
    try (var client = overTcp(surface.owner("sdk"));
        var attachment = client.attach(taskId, STDOUT)) {
      expect(attachment, AttachEvent.Connected.class);
      attachment.type("hello".getBytes(StandardCharsets.UTF_8));
      surface.hosts.write(taskId, LogStream.STDOUT, "world");
      assertThat(text(expect(attachment, AttachEvent.Output.class))).isEqualTo("world");
      await()
          .untilAsserted(() -> assertThat(surface.hosts.applied()).containsExactly("stdin hello"));
      surface.hosts.exit(taskId, 7, null);
      var end = expect(attachment, AttachEvent.Ended.class);
      assertThat(end.status().exitCode()).isEqualTo(7);
      assertThat(attachment.next()).isNull();
    }
  }

  @Test
  void who_names_the_last_frame_it_knows_gets_resizes_in_their_place() throws IOException {
    var taskId = surface.terminal();
    surface.hosts.write(taskId, LogStream.PTY, "a");
    var seq = surface.lastSeq(taskId);
    surface.post("/tasks/" + taskId + "/resize", "{\"rows\":30,\"cols\":100}");
    surface.hosts.write(taskId, LogStream.PTY, "b");
    try (var client = overTcp(surface.owner("sdk"));
        var attachment = client.attach(taskId, AttachOptions.TERMINAL.from(1, seq))) {
      var connected = expect(attachment, AttachEvent.Connected.class);
      assertThat(connected).isEqualTo(new AttachEvent.Connected(24, 80, seq, false));
      var resized = expect(attachment, AttachEvent.Resized.class);
      assertThat(resized.rows()).isEqualTo(30);
      assertThat(resized.seq()).isEqualTo(seq + 1);
      assertThat(text(expect(attachment, AttachEvent.Output.class))).isEqualTo("b");
    }
  }

  @Test
  void a_refusal_is_told_before_there_is_a_connection() throws IOException {
    var taskId = surface.running();
    try (var client = overTcp(Surface.TOKEN)) {
      assertRefused(client, taskId, ErrorCode.FORBIDDEN);
      assertRefused(
          client, new TaskId("00000000-0000-0000-0000-00000000ffff"), ErrorCode.TASK_NOT_FOUND);
    }
  }

  private static void assertRefused(ErrandClient client, TaskId taskId, ErrorCode code) {
    try (var attachment = client.attach(taskId, STDOUT)) {
      assertThatThrownBy(attachment::next)
          .isInstanceOfSatisfying(ErrandException.class, e -> assertThat(e.code()).isEqualTo(code));
    }
  }

  @Test
  void a_revoked_token_ends_it_for_good() throws IOException {
    var taskId = surface.running();
    try (var client = overTcp(surface.owner("laptop"));
        var attachment = client.attach(taskId, STDOUT)) {
      expect(attachment, AttachEvent.Connected.class);
      surface.call("DELETE", "/tokens/laptop", Map.of(), null);
      assertThatThrownBy(attachment::next).hasMessageContaining("revoked");
    }
  }

  @Test
  void who_only_looks_is_told_that_it_may_not_type() throws IOException {
    var taskId = surface.running();
    try (var client = overTcp(surface.owner("sdk"));
        var attachment = client.attach(taskId, STDOUT.viewing())) {
      expect(attachment, AttachEvent.Connected.class);
      attachment.type(new byte[] {'x'});
      var refused = expect(attachment, AttachEvent.Refused.class);
      assertThat(refused.failure().code()).isEqualTo(ErrorCode.FORBIDDEN);
    }
  }

  @Test
  void the_end_is_told_although_input_for_the_task_is_left() throws IOException {
    var taskId = surface.running();
    surface.hosts.exit(taskId, 5, null);
    try (var client = overTcp(surface.owner("sdk"));
        var attachment = client.attach(taskId, STDOUT)) {
      for (var i = 0; i < 500; i++) {
        attachment.type("too late".getBytes(StandardCharsets.UTF_8));
      }
      assertThat(expect(attachment, AttachEvent.Ended.class).status().exitCode()).isEqualTo(5);
      assertThat(attachment.next()).isNull();
    }
    assertThat(surface.hosts.applied()).isEmpty();
  }

  @Test
  void closing_it_ends_a_thread_that_waits() throws Exception {
    var taskId = surface.running();
    try (var client = overTcp(surface.owner("sdk"))) {
      var attachment = client.attach(taskId, STDOUT);
      expect(attachment, AttachEvent.Connected.class);
      var waiting = Thread.ofVirtual().start(attachment::next);
      attachment.close();
      waiting.join();
    }
  }

  /**
   * A writer, a typist and a connection that is cut again and again: every byte comes once, and
   * every key is applied once and in order.
   */
  @Test
  void nothing_is_lost_or_doubled_however_often_the_connection_is_cut() throws Exception {
    var taskId = surface.running();
    var socket = folder.resolve("relay.sock");
    try (var relay = Relay.start(socket, folder.resolve("run").resolve("errand.sock"));
        var client = throughRelay(socket);
        var attachment = client.attach(taskId, STDOUT)) {
      var written = new ByteArrayOutputStream();
      var writer = Thread.ofVirtual().start(() -> write(taskId, written));
      var typist = Thread.ofVirtual().start(() -> type(attachment));
      var cutter = Thread.ofVirtual().start(() -> cut(relay, writer));
      var finisher = Thread.ofVirtual().start(() -> finish(taskId, writer, typist, cutter));

      var seen = new ByteArrayOutputStream();
      var reconnects = 0;
      @Nullable AttachEvent event = attachment.next();
      while (event != null) {
        if (event instanceof AttachEvent.Output(var offset, var bytes)) {
          assertThat(offset).isEqualTo(seen.size());
          seen.writeBytes(bytes);
        }
        reconnects += event instanceof AttachEvent.Connected(_, _, _, var again) && again ? 1 : 0;
        event = attachment.next();
      }
      finisher.join();
      assertThat(reconnects).isPositive();
      assertThat(seen.toByteArray()).isEqualTo(written.toByteArray());
      var due = new ArrayList<String>();
      for (var i = 0; i < KEYS; i++) {
        due.add("stdin " + i);
      }
      assertThat(surface.hosts.applied()).isEqualTo(due);
    }
  }

  private static final int KEYS = 200;

  private void write(TaskId taskId, ByteArrayOutputStream written) {
    var random = new Random(1);
    for (var i = 0; i < 300; i++) {
      var bytes = new byte[1 + random.nextInt(3_000)];
      random.nextBytes(bytes);
      written.writeBytes(bytes);
      surface.hosts.write(taskId, LogStream.STDOUT, bytes);
      pause(3);
    }
  }

  private static void type(Attachment attachment) {
    for (var i = 0; i < KEYS; i++) {
      attachment.type(Integer.toString(i).getBytes(StandardCharsets.UTF_8));
      pause(4);
    }
  }

  /** Paces the load; nothing is expected of the time that it takes. */
  private static void pause(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void cut(Relay relay, Thread writer) {
    try {
      while (writer.isAlive()) {
        pause(60);
        relay.cut();
      }
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Ends the task when all was written and all that was typed has arrived. */
  private void finish(TaskId taskId, Thread writer, Thread typist, Thread cutter) {
    try {
      writer.join();
      typist.join();
      cutter.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    while (surface.hosts.applied().size() < KEYS) {
      pause(10);
    }
    surface.hosts.exit(taskId, 0, null);
  }
}
