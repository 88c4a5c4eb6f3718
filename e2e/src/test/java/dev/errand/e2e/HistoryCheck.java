package dev.errand.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.errand.core.task.TaskId;
import dev.errand.wire.client.ErrandClient;
import dev.errand.wire.client.TaskFilter;
import dev.errand.wire.client.TaskStatus;
import dev.errand.wire.json.FrameType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Holds a history to the model: what must be true of tasks whatever happened to the program. */
final class HistoryCheck {
  private final History history;
  private final ErrandClient client;

  /** How often each key was really started, by the lines that its processes left. */
  private final Map<String, Long> starts;

  private final Map<TaskId, Recording> recordings = new HashMap<>();

  HistoryCheck(History history, ErrandClient client, Path side) throws IOException {
    this.history = history;
    this.client = client;
    this.starts =
        Files.readAllLines(side).stream()
            .collect(Collectors.groupingBy(it -> it, Collectors.counting()));
  }

  void check() {
    checkKnown();
    history.acknowledged().forEach(this::checkTask);
    history.seen().forEach(this::checkSeen);
    recordings.forEach(this::checkFrames);
  }

  /** Every acknowledged task is known, and none is there twice or without a wish. */
  private void checkKnown() {
    var listed = new ArrayList<TaskStatus>();
    var page = client.list(TaskFilter.ALL.limit(500));
    listed.addAll(page.tasks());
    for (var next = client.next(page); next.isPresent(); next = client.next(next.get())) {
      listed.addAll(next.get().tasks());
    }
    var labels = listed.stream().map(TaskStatus::label).toList();
    assertThat(labels).doesNotHaveDuplicates().isSubsetOf(history.wishes().keySet());
    assertThat(listed).extracting(TaskStatus::taskId).containsAll(history.acknowledged().values());
    // What was not acknowledged may or may not be there, and must have run at most as recorded.
    for (var status : listed) {
      history.acknowledged().putIfAbsent(String.valueOf(status.label()), status.taskId());
    }
    assertThat(starts.keySet()).isSubsetOf(history.acknowledged().keySet());
  }

  private void checkTask(String key, TaskId taskId) {
    var recording = Recording.of(client, taskId);
    recordings.put(taskId, recording);
    var wish = history.wishes().get(key);
    var attempts = recording.ofType(FrameType.ATTEMPT).size();
    assertThat(recording.status().label()).isEqualTo(key);
    assertThat(starts.getOrDefault(key, 0L))
        .as("starts of %s, which had %d attempts", key, attempts)
        .isLessThanOrEqualTo(attempts);
    checkEnd(wish, recording, attempts);
  }

  private void checkEnd(History.Wish wish, Recording recording, int attempts) {
    var status = recording.status();
    switch (status.status()) {
      case "exited" -> {
        assertThat(status.exitCode()).as(status.text()).isEqualTo(wish.exitCode());
        assertThat(starts.getOrDefault(wish.key(), 0L)).isPositive();
        assertThat(recording.log(wish.stream()).text()).endsWith(wish.output());
        if (attempts == 1) {
          assertThat(recording.log(wish.stream()).text()).isEqualTo(wish.output());
          checkHits(wish, recording);
        }
      }
      case "cancelled" -> {
        assertThat(history.wasCancelled(wish.key())).as(status.text()).isTrue();
        checkPart(wish, recording, attempts);
      }
      case "failed" -> {
        assertThat(status.error()).as(status.text()).isEqualTo("lost");
        assertThat(recording.terminal().fields().numbers("survivors")).isEmpty();
        checkPart(wish, recording, attempts);
      }
      default -> throw new AssertionError("not over: " + status.text());
    }
  }

  /** What was cut short has printed nothing twice and left nothing out. */
  private static void checkPart(History.Wish wish, Recording recording, int attempts) {
    if (attempts <= 1) {
      assertThat(wish.output()).startsWith(recording.log(wish.stream()).text());
    }
  }

  /** The last line is printed once, so its watcher has one hit, through every restart. */
  private static void checkHits(History.Wish wish, Recording recording) {
    assertThat(recording.ofType(FrameType.WATCHER_HIT)).hasSize(wish.watched() ? 1 : 0);
  }

  /** No byte that a reader saw is missing or another one later. */
  private void checkSeen(History.Seen seen) {
    var recording = recordings.get(seen.taskId());
    assertThat(recording).as("task %s was read", seen.taskId()).isNotNull();
    var log = recording.log(seen.stream());
    var from = Math.toIntExact(seen.offset());
    var to = from + seen.bytes().length;
    assertThat(log.bytes().length).as("bytes of %s", seen.taskId()).isGreaterThanOrEqualTo(to);
    assertThat(new String(Arrays.copyOfRange(log.bytes(), from, to), UTF_8))
        .isEqualTo(new String(seen.bytes(), UTF_8));
  }

  private void checkFrames(TaskId taskId, Recording recording) {
    var given = history.framesOf(taskId);
    List<String> texts = recording.frames().stream().map(it -> it.text()).toList();
    given.forEach((seq, text) -> assertThat(text).isEqualTo(texts.get(Math.toIntExact(seq))));
  }

  /** How the tasks ended, for the one who reads the report. */
  Map<String, Long> ends() {
    return recordings.values().stream()
        .collect(Collectors.groupingBy(it -> it.status().status(), Collectors.counting()));
  }
}
