package dev.errand.daemon.hostlink;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.errand.core.task.TaskState;
import dev.errand.daemon.engine.EngineFixture;
import dev.errand.daemon.task.CommandRunner;
import dev.errand.host.protocol.Answer;
import dev.errand.host.protocol.HostClient;
import dev.errand.host.protocol.HostReply;
import dev.errand.host.protocol.HostRequest;
import dev.errand.host.protocol.HostUnreachable;
import dev.errand.host.protocol.RefusalCode;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.FutureTask;
import java.util.function.BooleanSupplier;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Hosts that stand still, come back, or are gone in the middle of a word. */
@Timeout(60)
final class HostLinkTest {
  private static final Duration SHORT = Duration.ofSeconds(1);
  private static final Duration LONG = Duration.ofSeconds(30);

  private final LinkFixture fixture;
  private final HostFolder folder;
  private final HostLink link;

  /** What the host was asked, and whether it stands still. */
  private final List<HostRequest> asked = new CopyOnWriteArrayList<>();

  private volatile boolean still;
  private volatile boolean unanswered;

  HostLinkTest(@TempDir Path home) throws IOException {
    this.fixture = new LinkFixture(home);
    this.folder = fixture.hostFolder(EngineFixture.HOST);
    this.link = fixture.link(folder);
  }

  private CompletionStage<Answer<HostReply>> answer(HostRequest request) {
    if (still) {
      unanswered = true;
      return new CompletableFuture<>();
    }
    asked.add(request);
    return CompletableFuture.completedFuture(
        switch (request) {
          case HostRequest.Hello _ -> new Answer.Done<>(welcome());
          case HostRequest.Forget _ -> new Answer.Refused<>(RefusalCode.STARTED, "it runs", 0);
          case HostRequest.Cancel _ -> new Answer.Done<>(new HostReply.Cancelling(false));
          default -> new Answer.Done<>(new HostReply.Ok());
        });
  }

  private static HostReply welcome() {
    return new HostReply.Welcome(
        HostClient.PROTOCOL, EngineFixture.HOST, LinkFixture.BUILD, "boot", 1, List.of(), 0);
  }

  private void connect(Duration answerMax) throws HostUnreachable, InterruptedException {
    link.connect(LinkFixture.JOURNAL, LinkFixture.BUILD, answerMax);
  }

  /**
   * Once the request has come to the host, moves the clock until it fails for want of an answer.
   */
  private void assertUnanswered(ThrowingCallable call, BooleanSupplier hasCome) throws Exception {
    var calling =
        new FutureTask<Void>(() -> {
          assertThatThrownBy(call).isInstanceOf(HostUnreachable.class);
          return null;
        });
    Thread.ofVirtual().start(calling);
    await()
        .until(() -> {
          if (hasCome.getAsBoolean()) {
            fixture.tasks.clock.advance(SHORT);
          }
          return calling.isDone();
        });
    calling.get();
  }

  @Test
  void a_cancel_that_met_a_host_standing_still_is_brought_by_the_next_connection()
      throws Exception {
    var taskId = fixture.tasks.running();
    var attempt = ((TaskState.Running) fixture.tasks.state(taskId)).attempt();
    fixture.tasks.engine.submit(taskId, EngineFixture.cancel(), null).orThrow();
    try (var _ = LinkFixture.listen(folder, this::answer)) {
      connect(SHORT);
      still = true;
      assertUnanswered(() -> link.cancel(taskId, attempt, "enough"), () -> unanswered);

      // Whoever keeps the connection waits for this, makes it anew and drives what is due.
      link.awaitClosed();
      assertThat(link.isConnected()).isFalse();
      still = false;
      connect(LONG);
      link.drive(taskId);

      assertThat(asked).hasAtLeastOneElementOfType(HostRequest.Cancel.class);
    }
  }

  @Test
  void the_end_of_an_older_connection_is_not_that_of_the_newer() throws Exception {
    try (var _ = LinkFixture.listen(folder, this::answer)) {
      connect(LONG);
      var first =
          new FutureTask<Void>(() -> {
            link.awaitClosed();
            return null;
          });
      var awaiting = Thread.ofVirtual().start(first);
      await().until(() -> awaiting.getState() == Thread.State.WAITING);
      // The host serves one daemon at a time, so it closes the first now.
      connect(LONG);
      first.get();

      assertThat(link.isConnected()).isTrue();
    }
  }

  @Test
  void a_host_that_does_not_greet_costs_no_open_connection() throws Exception {
    try (var server = listenRaw()) {
      var accepting =
          CompletableFuture.supplyAsync(() -> {
            var accepted = accept(server);
            readLineOf(accepted);
            return accepted;
          });

      assertUnanswered(() -> connect(SHORT), accepting::isDone);

      try (var accepted = accepting.get()) {
        assertThat(accepted.read(ByteBuffer.allocate(1))).as("the end of it").isEqualTo(-1);
      }
    }
  }

  @RepeatedTest(10)
  void a_host_that_dies_right_after_its_greeting_is_not_connected() throws Exception {
    try (var server = listenRaw()) {
      var greeted = CompletableFuture.runAsync(() -> greetAndDie(server));

      try {
        connect(LONG);
      } catch (HostUnreachable _) {
        // Its death was seen before its greeting.
      }

      greeted.get();
      link.awaitClosed();
      assertThat(link.isConnected()).isFalse();
    }
  }

  private static void greetAndDie(ServerSocketChannel server) {
    try (var accepted = accept(server)) {
      greet(accepted);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void a_host_that_does_not_read_holds_up_nobody_for_ever() throws Exception {
    var taskId = fixture.tasks.running();
    var attempt = ((TaskState.Running) fixture.tasks.state(taskId)).attempt();
    try (var server = listenRaw()) {
      var greeted =
          CompletableFuture.supplyAsync(() -> {
            var accepted = accept(server);
            greet(accepted);
            return accepted;
          });
      connect(SHORT);
      try (var accepted = greeted.get()) {
        var more =
            new CommandRunner.StdinRequest("op", new byte[4 << 20], false, false, false, "cli");

        var begun = CompletableFuture.runAsync(() -> readByteOf(accepted));
        assertUnanswered(() -> link.input(taskId, attempt, more), begun::isDone);

        assertThat(link.isConnected()).isFalse();
      }
    }
  }

  private ServerSocketChannel listenRaw() throws IOException {
    var socket = folder.path().resolve("sock");
    var server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    server.bind(UnixDomainSocketAddress.of(socket));
    Files.writeString(folder.address(), socket.toString());
    return server;
  }

  private static SocketChannel accept(ServerSocketChannel server) {
    try {
      return server.accept();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static void greet(SocketChannel accepted) {
    try {
      readLine(accepted);
      accepted.write(ByteBuffer.wrap("{\"id\":1,\"ok\":true}\n".getBytes(UTF_8)));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static void readLineOf(SocketChannel accepted) {
    try {
      readLine(accepted);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static void readByteOf(SocketChannel accepted) {
    try {
      accepted.read(ByteBuffer.allocate(1));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static void readLine(SocketChannel accepted) throws IOException {
    var one = ByteBuffer.allocate(1);
    do {
      one.clear();
      accepted.read(one);
    } while (one.get(0) != '\n');
  }
}
