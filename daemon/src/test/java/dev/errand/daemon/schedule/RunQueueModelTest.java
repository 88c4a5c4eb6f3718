package dev.errand.daemon.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskKind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Holds the queue to a model that looks at everything anew for every question. */
class RunQueueModelTest {
  private static final RunCapacity.Limits LIMITS = new RunCapacity.Limits(4, 2, 5);
  private static final long STEP_MS = 50;
  private static final int MOVES = 800;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void the_line_names_whom_the_model_names_through_any_history(long seed) {
    var model = new Model(new Random(seed));
    for (var move = 0; move < MOVES; move++) {
      model.move();
      assertThat(model.queue.next()).as("move %d of seed %d", move, seed).isEqualTo(model.next());
      model.checkBounds();
      if (move % 100 == 0) {
        assertThat(model.rebuilt(1).next()).isEqualTo(model.queue.next());
        assertThat(order(model.rebuilt(1), model.now))
            .isEqualTo(order(model.rebuilt(2), model.now));
      }
    }
    assertThat(model.drain()).as("nobody is forgotten").isZero();
  }

  /** In which order all would start if nobody came any more and each ended at once. */
  private static List<TaskId> order(RunQueue queue, long now) {
    var order = new ArrayList<TaskId>();
    queue.at(now);
    for (var it = queue.next(); it != null; it = queue.next()) {
      order.add(it.id());
      queue.enter(it, false);
      queue.remove(it.id());
      queue.ended(it.id(), null);
    }
    return order;
  }

  /** One history: tasks come, start, become ready, end well or badly and are cancelled. */
  private static final class Model {
    private final Random random;
    private final RunQueue queue = new RunQueue(LIMITS);
    private final TreeMap<TaskId, QueueEntry> waiting = new TreeMap<>();

    /** Whether it is a ready service. */
    private final Map<QueueEntry, Boolean> running = new HashMap<>();

    private final Map<TaskId, Boolean> endedWell = new HashMap<>();
    private long now = 1_000;
    private int spawned;

    Model(Random random) {
      this.random = random;
    }

    void move() {
      now += random.nextInt(3);
      queue.at(now);
      switch (random.nextInt(8)) {
        case 0, 1, 2 -> spawn();
        case 3, 4 -> start();
        case 5 -> end(random.nextInt(4) > 0);
        case 6 -> becomeReady();
        default -> {
          switch (random.nextInt(4)) {
            case 0 -> cancelOne();
            case 1 -> pick().ifPresent(this::requeue);
            default -> {}
          }
        }
      }
      buryDoomed();
    }

    private void spawn() {
      var id = id(++spawned);
      var rank = now + STEP_MS * random.nextInt(3);
      var lane = random.nextInt(3) == 0 ? "lane" + random.nextInt(2) : null;
      var due = random.nextInt(5) == 0 ? now + random.nextInt(40) : 0;
      var parent = random.nextBoolean() ? pick() : Optional.<QueueEntry>empty();
      var session =
          parent.map(QueueEntry::session).orElseGet(() -> new SessionId("s" + random.nextInt(3)));
      var above = parent.map(Model::withAbove).orElse(List.of());
      var counted = random.nextBoolean();
      var entry =
          new QueueEntry(
              id, TaskKind.COMMAND, session, lane, rank, counted, due, earlier(), earlier(), above);
      if (queue.admits(entry, now)) {
        assertThat(admitted(entry)).isTrue();
        queue.enter(entry, false);
        running.put(entry, false);
        return;
      }
      queue.await(entry, now);
      waiting.put(id, entry);
      // Those that are over already are looked up by the scheduler, right after.
      Stream.concat(entry.after().stream(), entry.afterAny().stream()).forEach(this::tell);
    }

    private static List<TaskId> withAbove(QueueEntry parent) {
      return Stream.concat(Stream.of(parent.id()), parent.above().stream()).toList();
    }

    /** Its host is gone and it waits for its turn again; what it has started goes on. */
    private void requeue(QueueEntry it) {
      running.remove(it);
      waiting.put(it.id(), it.unconditional());
      queue.await(it.unconditional(), now);
    }

    private void tell(TaskId dependency) {
      var well = endedWell.get(dependency);
      if (well != null) {
        queue.ended(dependency, well ? null : "badly");
      }
    }

    private Set<TaskId> earlier() {
      return spawned < 2 || random.nextInt(6) > 0
          ? Set.of()
          : Set.of(id(1 + random.nextInt(spawned - 1)));
    }

    private void start() {
      var next = queue.next();
      if (next != null) {
        queue.enter(next, false);
        waiting.remove(next.id());
        running.put(next, false);
      }
    }

    private void end(boolean well) {
      pick().ifPresent(it -> over(it, well));
    }

    private void over(QueueEntry it, boolean well) {
      running.remove(it);
      waiting.remove(it.id());
      endedWell.put(it.id(), well);
      queue.remove(it.id());
      queue.ended(it.id(), well ? null : "badly");
    }

    private void becomeReady() {
      pick()
          .ifPresent(it -> {
            queue.enter(it, true);
            running.put(it, true);
          });
    }

    private void cancelOne() {
      var all = List.copyOf(waiting.values());
      if (!all.isEmpty()) {
        over(all.get(random.nextInt(all.size())), false);
      }
    }

    private Optional<QueueEntry> pick() {
      var all = running.keySet().stream().sorted(QueueEntry.BY_ID).toList();
      return all.isEmpty() ? Optional.empty() : Optional.of(all.get(random.nextInt(all.size())));
    }

    private void buryDoomed() {
      for (var unstartable = queue.unstartable(3);
          !unstartable.isEmpty();
          unstartable = queue.unstartable(3)) {
        for (var id : unstartable.keySet()) {
          over(Objects.requireNonNull(waiting.get(id)), false);
        }
      }
    }

    /** The first by rank of all that may start, found by looking at every one. */
    @Nullable QueueEntry next() {
      return waiting.values().stream()
          .filter(this::mayStart)
          .min(Comparator.comparingLong(QueueEntry::rankMs).thenComparing(QueueEntry::id))
          .orElse(null);
    }

    private boolean mayStart(QueueEntry it) {
      return it.dueMs() <= now
          && it.after().stream().allMatch(dep -> endedWell.getOrDefault(dep, false))
          && it.afterAny().stream().allMatch(endedWell::containsKey)
          && isFirstOfItsLane(it)
          && hasRoom(it);
    }

    private boolean isFirstOfItsLane(QueueEntry it) {
      return it.lane() == null
          || (inLane(it) == 0
              && waiting.values().stream()
                  .filter(each -> shareLane(each, it))
                  .allMatch(each -> each.id().compareTo(it.id()) >= 0));
    }

    private long inLane(QueueEntry it) {
      return running.entrySet().stream()
          .filter(each -> !each.getValue() && shareLane(each.getKey(), it))
          .count();
    }

    private static boolean shareLane(QueueEntry one, QueueEntry other) {
      return one.lane() != null
          && one.lane().equals(other.lane())
          && one.session().equals(other.session());
    }

    private boolean hasRoom(QueueEntry it) {
      if (!it.counted()) {
        return places() < LIMITS.places();
      }
      return isLentAPlace(it)
          || (counted(it.session()) < LIMITS.perSession() && counted(null) < LIMITS.overall());
    }

    private boolean isLentAPlace(QueueEntry it) {
      return takers().anyMatch(each -> it.above().contains(each.id()) && isLowest(each));
    }

    private Stream<QueueEntry> takers() {
      return running.entrySet().stream()
          .filter(each -> !each.getValue() && each.getKey().counted())
          .map(Map.Entry::getKey);
    }

    private boolean isLowest(QueueEntry it) {
      return takers().noneMatch(each -> each.above().contains(it.id()));
    }

    private long places() {
      return running.entrySet().stream()
          .filter(each -> each.getValue() || !each.getKey().counted())
          .count();
    }

    private long counted(@Nullable SessionId session) {
      return takers()
          .filter(each -> session == null || each.session().equals(session))
          .filter(this::isLowest)
          .count();
    }

    private boolean admitted(QueueEntry it) {
      return mayStart(it) && waiting.values().stream().noneMatch(each -> shareLane(each, it));
    }

    void checkBounds() {
      assertThat(counted(null)).isLessThanOrEqualTo(LIMITS.overall());
      for (var it : running.keySet()) {
        assertThat(inLane(it)).isLessThanOrEqualTo(1);
        assertThat(counted(it.session())).isLessThanOrEqualTo(LIMITS.perSession());
      }
      assertThat(queue.runningCount()).isEqualTo(running.size());
      assertThat(queue.waitingCount()).isEqualTo(waiting.size());
    }

    /** A queue made from what is recorded, as after a restart, which finds it in any order. */
    RunQueue rebuilt(long seed) {
      var fresh = new RunQueue(LIMITS);
      var found = new ArrayList<Runnable>();
      running.forEach((it, ready) -> found.add(() -> fresh.enter(it, ready)));
      waiting.values().forEach(it -> found.add(() -> fresh.await(it, now)));
      Collections.shuffle(found, new Random(seed));
      found.forEach(Runnable::run);
      endedWell.forEach((id, well) -> fresh.ended(id, well ? null : "badly"));
      return fresh;
    }

    /** Lets all come to their end; the answer is how many could not. */
    int drain() {
      now += 10_000;
      queue.at(now);
      buryDoomed();
      while (!running.isEmpty() || queue.next() != null) {
        start();
        end(true);
        buryDoomed();
      }
      return waiting.size();
    }
  }

  private static TaskId id(int number) {
    return new TaskId("00000000-0000-7000-8000-%012d".formatted(number));
  }
}
