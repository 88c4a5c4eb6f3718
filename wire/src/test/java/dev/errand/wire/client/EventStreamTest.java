package dev.errand.wire.client;

import static dev.errand.wire.client.SseSamples.TASK;
import static dev.errand.wire.client.SseSamples.frame;
import static dev.errand.wire.client.SseSamples.terminal;
import static dev.errand.wire.client.SseSamples.text;
import static dev.errand.wire.client.SseSamples.utf8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.errand.core.error.ErrandException;
import dev.errand.wire.home.ErrandHome;
import dev.errand.wire.http.SseText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
class EventStreamTest {
  private static final ClientOptions QUICK =
      new ClientOptions(Duration.ofMillis(500), Duration.ofSeconds(5), Duration.ofSeconds(5));

  @TempDir Path folder;

  @Test
  void a_cut_stream_goes_on_behind_its_last_frame_without_loss_or_double() throws Exception {
    try (var server =
            unix((request, out) -> {
              out.stream();
              switch (request.number()) {
                case 1 -> {
                  out.chunk(frame(0) + frame(1));
                  out.chunk(frame(2).substring(0, 30));
                  out.cut();
                }
                case 2 -> {
                  // Sent twice by a careless peer: what was seen is passed over.
                  out.chunk(frame(1) + frame(2));
                  out.chunk(": ping 2\n\n" + text(SseText.caughtUp(2)) + frame(3));
                  out.lastChunk();
                }
                default -> {
                  out.chunk(frame(4) + terminal(5) + text(SseText.caughtUp(5)));
                  out.lastChunk();
                }
              }
            });
        var client = ErrandClient.connect(home())) {
      var seqs = new ArrayList<Long>();
      client.events(TASK, -1, it -> seqs.add(it.seq()));

      assertThat(seqs).containsExactly(0L, 1L, 2L, 3L, 4L, 5L);
      assertThat(server.requests())
          .extracting(it -> it.header("Last-Event-ID"))
          .containsExactly("", "1", "3");
    }
  }

  @Test
  void cuts_at_any_byte_never_lose_or_double_a_frame() throws Exception {
    var random = new Random(7);
    var whole = new StringBuilder();
    for (var seq = 0; seq < 40; seq++) {
      whole.append(seq % 5 == 0 ? ": ping\n\n" : "").append(frame(seq));
    }
    whole.append(terminal(40));
    try (var server =
            unix((request, out) -> {
              var last = request.header("Last-Event-ID");
              var from =
                  last.isEmpty() ? 0 : whole.indexOf("id: " + (Long.parseLong(last) + 1) + "\n");
              var rest = whole.substring(from);
              out.stream();
              var length = request.number() > 60 ? rest.length() : random.nextInt(400);
              var sent = rest.substring(0, Math.min(rest.length(), length));
              if (!sent.isEmpty()) {
                out.chunk(sent);
              }
              out.cut();
            });
        var client = ErrandClient.connect(home())) {
      var seqs = new ArrayList<Long>();
      client.events(TASK, -1, it -> seqs.add(it.seq()));

      assertThat(seqs).hasSize(41).isSorted().doesNotHaveDuplicates();
      assertThat(server.connections()).isGreaterThan(5);
    }
  }

  @Test
  void a_restarted_daemon_on_another_socket_is_found_again() throws Exception {
    var first =
        unix(
            "one",
            (_, out) -> {
              out.stream();
              out.chunk(frame(0));
            });
    try (var client = ErrandClient.connect(home());
        var events = client.events(TASK, -1)) {
      assertThat(events.next()).isNotNull().extracting(EventFrame::seq).isEqualTo(0L);
      first.close();
      Files.delete(home().daemonFile());
      var gone = new CountDownLatch(1);
      Thread.ofVirtual().start(() -> startLater(gone));

      var next = events.next();

      assertThat(next).isNotNull().extracting(EventFrame::isTerminal).isEqualTo(true);
      assertThat(events.next()).isNull();
      gone.countDown();
    }
  }

  private void startLater(CountDownLatch done) {
    try (var server =
        unix(
            "two",
            (_, out) -> {
              out.stream();
              out.chunk(terminal(1));
              out.lastChunk();
            })) {
      done.await();
      assertThat(server.requests()).hasSize(1);
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void a_daemon_that_stays_away_ends_the_stream_with_an_exception() throws Exception {
    var server =
        unix((_, out) -> {
          out.stream();
          out.chunk(frame(0));
        });
    try (var client = ErrandClient.connect(home(), QUICK);
        var events = client.events(TASK, -1)) {
      events.next();
      server.close();

      assertThatThrownBy(events::next).isInstanceOf(NoDaemonException.class);
    }
  }

  @Test
  void a_missing_frame_is_an_error_and_not_silence() throws Exception {
    try (var _ =
            unix((_, out) -> {
              out.stream();
              out.chunk(frame(0) + frame(2));
            });
        var client = ErrandClient.connect(home());
        var events = client.events(TASK, -1)) {
      events.next();

      assertThatThrownBy(events::next)
          .isInstanceOf(ErrandException.class)
          .hasMessageContaining("got frame 2, expected 1");
    }
  }

  @Test
  void an_event_over_the_bound_is_refused() throws Exception {
    try (var _ =
            unix((_, out) -> {
              out.stream();
              for (var i = 0; i < 5; i++) {
                out.chunk("x".repeat(1 << 20));
              }
            });
        var client = ErrandClient.connect(home());
        var events = client.events(TASK, -1)) {
      assertThatThrownBy(events::next).hasMessageContaining("more than");
    }
  }

  @Test
  void a_stream_that_the_daemon_ends_behind_the_last_frame_leaves_its_connection_usable()
      throws Exception {
    try (var server =
            unix((_, out) -> {
              out.stream();
              out.chunk("retry: 1000\n\n" + terminal(0) + text(SseText.caughtUp(0)));
              out.lastChunk();
            });
        var client = ErrandClient.connect(home())) {
      client.events(TASK, -1, _ -> {});
      client.events(TASK, -1, _ -> {});

      assertThat(server.requests()).hasSize(2);
      assertThat(server.connections()).isEqualTo(1);
    }
  }

  @Test
  void a_daemon_that_does_not_end_the_stream_is_not_waited_for_long() throws Exception {
    try (var _ =
            unix((_, out) -> {
              out.stream();
              out.chunk(terminal(0));
            });
        var client = ErrandClient.connect(home());
        var events = client.events(TASK, -1)) {
      assertThat(events.next()).isNotNull();
      assertThat(events.next()).isNull();
    }
  }

  @Test
  void history_ends_with_the_last_frame_there_is() throws Exception {
    try (var server =
            unix((_, out) -> {
              out.stream();
              out.chunk(frame(3) + text(SseText.caughtUp(3)));
              out.lastChunk();
            });
        var client = ErrandClient.connect(home());
        var events = client.history(TASK, 2)) {
      assertThat(events.next()).isNotNull();
      assertThat(events.next()).isNull();
      assertThat(events.caughtUp()).isTrue();
      assertThat(server.requests().getFirst().target()).endsWith("/events?follow=false");
      assertThat(server.requests().getFirst().header("Last-Event-ID")).isEqualTo("2");
    }
  }

  @Test
  void the_stream_of_all_goes_on_by_its_cursor() throws Exception {
    try (var server =
            unix((request, out) -> {
              out.stream();
              var cursor = request.number() == 1 ? "c1" : "c2";
              out.chunk(text(SseText.frame(cursor, utf8("{\"type\":\"x\",\"seq\":0}"))));
              out.chunk(": nothing for us\nid: " + cursor + "b\n\n");
              out.cut();
            });
        var client = ErrandClient.connect(home());
        var events = client.allEvents("c0")) {
      assertThat(events.next()).isNotNull().extracting(EventFrame::id).isEqualTo("c1");
      assertThat(events.next()).isNotNull().extracting(EventFrame::id).isEqualTo("c2");
      assertThat(server.requests())
          .extracting(it -> it.target() + " " + it.header("Last-Event-ID"))
          .containsExactly("/events c0", "/events c1b");
    }
  }

  @Test
  void a_closed_stream_wakes_who_waits_for_it() throws Exception {
    var begun = new CountDownLatch(1);
    try (var _ =
            unix((_, out) -> {
              out.stream();
              out.chunk(": ping\n\n");
              begun.countDown();
            });
        var client = ErrandClient.connect(home())) {
      var events = client.events(TASK, -1);
      Thread.ofVirtual().start(() -> closeAfter(begun, events));

      assertThat(events.next()).isNull();
    }
  }

  @Test
  void a_closed_client_wakes_who_waits_for_it() throws Exception {
    var begun = new CountDownLatch(1);
    try (var _ =
            unix((_, out) -> {
              out.stream();
              out.chunk(": ping\n\n");
              begun.countDown();
            });
        var client = ErrandClient.connect(home());
        var events = client.events(TASK, -1)) {
      Thread.ofVirtual().start(() -> closeAfter(begun, client));

      assertThatThrownBy(events::next).isInstanceOf(CancellationException.class);
    }
  }

  private static void closeAfter(CountDownLatch begun, ErrandClient client) {
    try {
      begun.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    client.close();
  }

  private static void closeAfter(CountDownLatch begun, EventStream events) {
    try {
      begun.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    events.close();
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
