package dev.errand.daemon.surface.http;

import static dev.errand.daemon.surface.http.Surface.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskId;
import dev.errand.daemon.config.Config;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Frames of one task and of all, as they are followed over HTTP. */
final class EventRoutesTest {
  @TempDir Path folder;
  private Surface surface;

  @BeforeEach
  void start() throws IOException {
    var times = Surface.times(Duration.ofSeconds(30), Duration.ofMillis(100));
    surface = Surface.start(folder, null, times, Config.DEFAULTS.serving());
  }

  @AfterEach
  void stop() {
    surface.close();
  }

  @Test
  void a_subscriber_gets_history_then_a_mark_then_live_frames_and_the_end() throws IOException {
    var taskId = surface.running();
    try (var events = EventReader.open(surface, "/tasks/" + taskId + "/events")) {
      var history = events.history();
      surface.hosts.write(taskId, LogStream.STDOUT, "hi\n");
      surface.hosts.exit(taskId, 0, null);
      var live = events.rest().stream().filter(EventReader.Event::isFrame).toList();

      assertThat(history).extracting(EventReader.Event::id).containsExactly("0", "1", "2");
      assertThat(live).extracting(EventReader.Event::id).containsExactly("3", "4", "5");
      assertThat(live.getLast().data()).contains("\"status\":\"exited\"");
      assertThat(live.getFirst().seq()).isEqualTo(3);
    }
    await().untilAsserted(() -> assertThat(surface.reads()).containsExactly(taskId + " cli"));
    await().until(() -> surface.feed.followers() == 0);
  }

  @Test
  void the_mark_says_where_history_ended() throws IOException {
    var taskId = surface.running();
    try (var events = EventReader.open(surface, "/tasks/" + taskId + "/events?follow=false")) {
      var marks = events.rest().stream().filter(it -> it.name().equals("caught_up")).toList();
      assertThat(marks)
          .singleElement()
          .extracting(EventReader.Event::data)
          .isEqualTo("{\"seq\":2}");
    }
    assertThat(surface.reads()).isEmpty();
  }

  @Test
  void an_ended_task_is_sent_whole_and_the_stream_ends() throws IOException {
    var taskId = surface.running();
    surface.hosts.exit(taskId, 3, null);
    try (var events = EventReader.open(surface, "/tasks/" + taskId + "/events?after_seq=1")) {
      var frames = events.rest().stream().filter(EventReader.Event::isFrame).toList();
      assertThat(frames).extracting(EventReader.Event::seq).containsExactly(2L, 3L);
    }
  }

  @Test
  void a_reconnect_goes_on_behind_the_last_id_whatever_the_query_says() throws IOException {
    var taskId = surface.running();
    var target = "/tasks/" + taskId + "/events?follow=false&after_seq=-1";
    try (var events = EventReader.open(surface, target, Map.of("Last-Event-ID", "1"))) {
      assertThat(events.history()).extracting(EventReader.Event::seq).containsExactly(2L);
    }
  }

  @Test
  void a_cursor_behind_the_end_or_of_another_form_is_refused() throws IOException {
    var taskId = surface.running();

    var behind = surface.get("/tasks/" + taskId + "/events?after_seq=99");
    assertThat(behind.status()).isEqualTo(400);
    assertThat(json(behind).path("head_seq").longValue()).isEqualTo(2);
    assertThat(surface.get("/tasks/" + taskId + "/events?after_seq=x").status()).isEqualTo(400);
    assertThat(surface.get("/events?cursor=foreign").status()).isEqualTo(400);
    var tooLong = surface.get("/events?cursor=" + "x".repeat(65));
    assertThat(tooLong.status()).isEqualTo(400);
    assertThat(json(tooLong).path("detail").stringValue(""))
        .isEqualTo("invalid cursor; use one that an earlier answer gave");
  }

  @Test
  void a_quiet_stream_is_kept_alive_with_the_seq_of_its_head() throws IOException {
    var taskId = surface.running();
    try (var events = EventReader.open(surface, "/tasks/" + taskId + "/events")) {
      events.history();
      assertThat(events.nextComment().comment()).isEqualTo("head_seq=2");
    }
  }

  @Test
  void who_wants_json_gets_pages() throws IOException {
    var taskId = surface.running();
    var json = Map.of("Accept", "application/json");

    var first = surface.get("/tasks/" + taskId + "/events?limit=2", json);
    var link = first.header("Link");
    var second = surface.get(link.substring(1, link.indexOf('>')), json);

    assertThat(json(first)).hasSize(2);
    assertThat(json(second)).hasSize(1);
    assertThat(json(second).path(0).path("seq").longValue()).isEqualTo(2);
    assertThat(second.header("Link")).isEmpty();
  }

  @Test
  void late_cut_and_reconnected_subscribers_see_each_frame_once_and_in_order() throws Exception {
    var taskId = surface.running();
    var writes = 400;
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<List<String>>> readers = new ArrayList<>();
      for (var i = 0; i < 8; i++) {
        var random = new Random(i);
        readers.add(threads.submit((Callable<List<String>>) () -> readWithCuts(taskId, random)));
      }
      for (var i = 0; i < writes; i++) {
        surface.hosts.write(taskId, LogStream.STDOUT, "line " + i + "\n");
      }
      surface.hosts.exit(taskId, 0, null);

      var expected = frames(taskId);
      for (var reader : readers) {
        assertThat(reader.get()).isEqualTo(expected);
      }
    }
  }

  /** Reads to the end, but leaves at random and comes back with the last id it has seen. */
  private List<String> readWithCuts(TaskId taskId, Random random) throws IOException {
    var seen = new ArrayList<String>();
    while (true) {
      var headers =
          seen.isEmpty()
              ? Map.<String, String>of()
              : Map.of("Last-Event-ID", Integer.toString(seen.size() - 1));
      try (var events = EventReader.open(surface, "/tasks/" + taskId + "/events", headers)) {
        var left = random.nextInt(1, 120);
        for (var event = events.next(); left > 0; event = events.next()) {
          if (event == null) {
            return seen;
          }
          if (event.isFrame()) {
            assertThat(event.id()).isEqualTo(Integer.toString(seen.size()));
            seen.add(event.data());
            left--;
          }
        }
      }
    }
  }

  private List<String> frames(TaskId taskId) throws IOException {
    try (var events = EventReader.open(surface, "/tasks/" + taskId + "/events?follow=false")) {
      return events.rest().stream()
          .filter(EventReader.Event::isFrame)
          .map(EventReader.Event::data)
          .toList();
    }
  }

  @Test
  void all_frames_are_followed_by_one_cursor() throws IOException {
    var first = surface.running();
    String cursor;
    try (var events = EventReader.open(surface, "/events")) {
      assertThat(events.history()).hasSize(3);
      surface.hosts.write(first, LogStream.STDOUT, "hi");
      var live = events.nextFrame();
      assertThat(live.data()).contains("tool_task_output_delta");
      cursor = live.id();
    }
    var second = surface.running();

    try (var events =
        EventReader.open(surface, "/events?follow=false", Map.of("Last-Event-ID", cursor))) {
      var frames = events.history();
      assertThat(frames).hasSize(3);
      assertThat(frames)
          .allSatisfy(it -> assertThat(it.data()).contains("\"stream_id\":\"" + second + "\""));
    }
  }

  @Test
  void all_frames_can_be_those_of_one_session() throws IOException {
    surface.running();
    var other = "{\"tool\":\"bash\",\"args\":{\"command\":\"x\"},\"session_id\":\"cli2\"}";
    var taskId = surface.spawn(other);

    try (var events = EventReader.open(surface, "/events?session_id=cli2&follow=false")) {
      assertThat(events.history())
          .hasSize(2)
          .allSatisfy(it -> assertThat(it.data()).contains(taskId.value()));
    }
    var page = surface.get("/events?session_id=cli2", Map.of("Accept", "application/json"));
    assertThat(json(page)).hasSize(2);
  }

  @Test
  void a_quiet_stream_of_all_moves_the_point_of_return() throws IOException {
    surface.running();
    try (var events = EventReader.open(surface, "/events?session_id=nobody")) {
      assertThat(events.history()).isEmpty();
      var alive = events.nextComment();
      assertThat(alive.id()).isNotEmpty();
      try (var later =
          EventReader.open(surface, "/events?follow=false", Map.of("Last-Event-ID", alive.id()))) {
        assertThat(later.history()).isEmpty();
      }
    }
  }

  @Test
  void the_page_with_the_last_frame_is_the_result_and_no_page_before_it() throws IOException {
    var taskId = surface.running();
    surface.hosts.exit(taskId, 0, null);
    var wanted = Map.of("Accept", "application/json");

    var first = surface.get("/tasks/" + taskId + "/events?limit=3", wanted);
    assertThat(json(first)).hasSize(3);
    assertThat(surface.reads()).isEmpty();

    surface.get("/tasks/" + taskId + "/events?after_seq=2", wanted);
    await().untilAsserted(() -> assertThat(surface.reads()).containsExactly(taskId + " cli"));
  }

  @Test
  void the_pages_of_a_task_tile_its_frames() throws IOException {
    var taskId = surface.running();
    surface.hosts.exit(taskId, 0, null);
    var seqs = new ArrayList<Long>();
    for (var after = -1L; after < 3; after++) {
      var page =
          surface.get(
              "/tasks/" + taskId + "/events?limit=1&after_seq=" + after,
              Map.of("Accept", "application/json"));
      json(page).forEach(it -> seqs.add(it.path("seq").longValue()));
    }
    assertThat(seqs).isEqualTo(LongStream.range(0, 4).boxed().toList());
  }

  @Test
  void closing_the_surface_ends_those_who_follow() throws IOException {
    var taskId = surface.running();
    try (var events = EventReader.open(surface, "/tasks/" + taskId + "/events")) {
      events.history();
      surface.http.close();
      assertThat(events.rest()).allSatisfy(it -> assertThat(it.comment()).isNotEmpty());
    }
  }
}
