package dev.errand.testkit;

import static dev.errand.testkit.JournalFixture.append;
import static dev.errand.testkit.JournalFixture.everything;
import static dev.errand.testkit.JournalFixture.idsOf;
import static dev.errand.testkit.JournalFixture.row;
import static dev.errand.testkit.JournalFixture.session;
import static dev.errand.testkit.JournalFixture.texts;
import static dev.errand.testkit.JournalFixture.textsOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.errand.core.journal.Batch;
import dev.errand.core.journal.Cursor;
import dev.errand.core.journal.Fence;
import dev.errand.core.journal.StreamKey;
import dev.errand.core.journal.TaskQuery;
import dev.errand.core.journal.TaskRow;
import dev.errand.core.journal.Tombstone;
import dev.errand.core.task.StatusWord;
import dev.errand.core.task.TaskId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A claim by chance: after any row of batches the journal shows what a plain model shows. */
interface JournalModelClaims extends JournalFixture {

  int STEPS = 300;
  int TASKS = 12;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  default void any_row_of_batches_leaves_what_a_plain_model_leaves(long seed) {
    var random = new Random(seed);
    var fence = journal().takeOver("a");
    var tasks = new ArrayList<TaskId>();
    for (var i = 0; i < TASKS; i++) {
      tasks.add(ids().nextTask());
    }
    var model = new Model();
    for (var step = 0; step < STEPS; step++) {
      var plan = Plan.random(random, tasks, model);
      assertThat(accepted(plan.batch(fence))).as("step %d", step).isEqualTo(model.apply(plan));
      assertThat(journal().rows(plan.query)).as("step %d", step).hasSize(model.count(plan.query));
    }
    compare(model, tasks);
  }

  private boolean accepted(Batch batch) {
    try {
      journal().commit(batch);
      return true;
    } catch (IllegalStateException _) {
      return false;
    }
  }

  private void compare(Model model, List<TaskId> tasks) {
    for (var task : tasks) {
      assertThat(texts(journal(), StreamKey.of(task))).isEqualTo(model.textsOf(task));
      assertThat(journal().row(task).map(TaskRow::status))
          .isEqualTo(Optional.ofNullable(model.rows.get(task)).map(TaskRow::status));
      assertThat(journal().tombstone(task).isPresent()).isEqualTo(model.removed.contains(task));
    }
    assertThat(textsOf(everything(journal(), Cursor.START))).isEqualTo(model.everything());
    for (var query : model.queries()) {
      assertThat(idsOf(journal().rows(query))).as("%s", query).isEqualTo(model.find(query));
    }
  }

  /** What one step tries: appends to some tasks, perhaps wrongly, rows for them, and a removal. */
  record Plan(
      Map<TaskId, Long> appends, List<TaskRow> rows, @Nullable TaskId removal, TaskQuery query) {

    static Plan random(Random random, List<TaskId> tasks, Model model) {
      var appends = new TreeMap<TaskId, Long>();
      var rows = new ArrayList<TaskRow>();
      for (var i = random.nextInt(3); i >= 0; i--) {
        var task = tasks.get(random.nextInt(tasks.size()));
        var wrong = random.nextInt(10) == 0 ? 1 : 0;
        appends.put(task, (long) model.textsOf(task).size() - 1 + wrong);
        if (random.nextBoolean()) {
          rows.add(randomRow(random, task));
        }
      }
      var removal = random.nextInt(25) == 0 ? tasks.get(random.nextInt(tasks.size())) : null;
      return new Plan(appends, rows, removal, randomQuery(random, tasks));
    }

    private static TaskRow randomRow(Random random, TaskId task) {
      var over = random.nextBoolean();
      var lifetime = over ? new TaskRow.Lifetime(5, 0, 1) : TaskRow.Lifetime.LIVE;
      var label = random.nextBoolean() ? "l" + random.nextInt(2) : null;
      var status = over ? StatusWord.EXITED : StatusWord.RUNNING;
      return row(task, "s" + random.nextInt(2), label, "command", status, lifetime);
    }

    private static TaskQuery randomQuery(Random random, List<TaskId> tasks) {
      return new TaskQuery(
          random.nextBoolean() ? session("s" + random.nextInt(2)) : null,
          random.nextBoolean() ? "l" + random.nextInt(2) : null,
          null,
          random.nextBoolean() ? Set.of(StatusWord.EXITED) : Set.of(),
          random.nextBoolean() ? random.nextBoolean() : null,
          random.nextBoolean() ? tasks.get(random.nextInt(tasks.size())) : null,
          1 + random.nextInt(TASKS));
    }

    Batch batch(Fence fence) {
      var batch = Batch.of(fence);
      appends.forEach((task, afterSeq) -> batch.append(append(task, afterSeq, 1)));
      rows.forEach(batch::row);
      if (removal != null) {
        batch.remove(new Tombstone(removal, session("s"), 1, "old", "me", "bob"));
      }
      return batch.build();
    }
  }

  /** The plainest thing that keeps the same promises. */
  final class Model {
    private final List<String> order = new ArrayList<>();
    private final Map<TaskId, List<String>> streams = new HashMap<>();
    private final Map<TaskId, TaskRow> rows = new TreeMap<>();
    private final Set<TaskId> removed = new HashSet<>();

    List<String> textsOf(TaskId task) {
      return streams.getOrDefault(task, List.of());
    }

    List<String> everything() {
      return order;
    }

    boolean apply(Plan plan) {
      for (var append : plan.appends.entrySet()) {
        if (removed.contains(append.getKey())
            || textsOf(append.getKey()).size() - 1L != append.getValue()) {
          return false;
        }
      }
      plan.appends.forEach(this::add);
      plan.rows.forEach(row -> rows.put(row.id(), row));
      if (plan.removal != null) {
        removed.add(plan.removal);
        rows.remove(plan.removal);
        order.removeAll(textsOf(plan.removal));
        streams.remove(plan.removal);
      }
      return true;
    }

    private void add(TaskId task, long afterSeq) {
      var text = task + "#" + (afterSeq + 1);
      streams.computeIfAbsent(task, _ -> new ArrayList<>()).add(text);
      order.add(text);
    }

    int count(TaskQuery query) {
      return find(query).size();
    }

    List<TaskId> find(TaskQuery query) {
      return rows.values().stream()
          .filter(row -> lets(query, row))
          .map(TaskRow::id)
          .sorted(Comparator.reverseOrder())
          .limit(query.limit())
          .toList();
    }

    private static boolean lets(TaskQuery query, TaskRow row) {
      return (query.sessionId() == null || query.sessionId().equals(row.sessionId()))
          && (query.label() == null || query.label().equals(row.label()))
          && (query.statuses().isEmpty() || query.statuses().contains(row.status()))
          && (query.active() == null || Objects.equals(query.active(), row.active()))
          && (query.before() == null || row.id().compareTo(query.before()) < 0);
    }

    List<TaskQuery> queries() {
      var random = new Random(7);
      var tasks = List.copyOf(rows.keySet());
      var queries = new ArrayList<TaskQuery>();
      for (var i = 0; i < 50 && !tasks.isEmpty(); i++) {
        queries.add(Plan.randomQuery(random, tasks));
      }
      return queries;
    }
  }
}
