package dev.errand.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.errand.core.error.ErrandException;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskId;
import dev.errand.wire.client.ErrandClient;
import dev.errand.wire.client.NoDaemonException;
import dev.errand.wire.client.OutputSearch;
import dev.errand.wire.client.TaskFilter;
import dev.errand.wire.client.Until;
import java.time.Duration;

/** Looks at tasks in the ways that there are; an answer may fail, but it may not be wrong. */
final class RandomReads {
  private static final Duration WAIT_MAX = Duration.ofSeconds(20);
  private static final int WAYS = 6;

  private final ErrandClient client;
  private final History history;

  RandomReads(ErrandClient client, History history) {
    this.client = client;
    this.history = history;
  }

  boolean read(History.Wish wish, TaskId taskId, int which) {
    try {
      switch (Math.floorMod(which, WAYS)) {
        case 0 -> awaitText(wish, taskId);
        case 1 -> search(wish, taskId);
        case 2 -> status(wish, taskId);
        case 3 -> assertThat(client.list(TaskFilter.ALL.limit(100)).tasks()).isNotEmpty();
        case 4 -> inbox();
        default -> wait(taskId);
      }
    } catch (ErrandException | NoDaemonException e) {
      history.failed("look", wish.key(), e);
    }
    return true;
  }

  private void awaitText(History.Wish wish, TaskId taskId) {
    var text = wish.line(wish.lines());
    var awaited = client.await(taskId, Until.text(text, wish.stream()), WAIT_MAX);
    var held = awaited.held();
    assertThat(held != null || awaited.timedOut() || awaited.status().isEnded())
        .as(awaited.status().text())
        .isTrue();
    if (held != null) {
      assertThat(held.snippet()).contains(text);
    }
  }

  private void search(History.Wish wish, TaskId taskId) {
    var found = client.search(taskId, wish.stream(), OutputSearch.of(wish.key()));
    assertThat(found.matches()).allSatisfy(it -> assertThat(it.text()).startsWith(wish.key()));
  }

  /** At a terminal with what is seen of it. */
  private void status(History.Wish wish, TaskId taskId) {
    assertThat(client.status(taskId).label()).isEqualTo(wish.key());
    if (wish.source() == History.Source.TERMINAL) {
      assertThat(client.screen(taskId, null).cols()).isEqualTo(80);
    }
  }

  /** The oldest notices, acknowledged, as an agent would between two turns. */
  private void inbox() {
    var inbox = client.inbox(new SessionId(Torture.SESSION));
    var ids =
        inbox.read(null, 50, Duration.ZERO).stream().map(it -> it.text("id")).distinct().toList();
    if (!ids.isEmpty()) {
      inbox.acknowledge(ids);
    }
  }

  private void wait(TaskId taskId) {
    client.waitEnd(taskId, WAIT_MAX);
  }
}
