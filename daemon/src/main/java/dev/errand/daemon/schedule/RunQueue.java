package dev.errand.daemon.schedule;

import dev.errand.core.task.QueuePlace;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The running and the waiting tasks, and which starts next. A task may start if it is first in its
 * lane, its dependencies are over, its delay has passed, and there is capacity; among such tasks
 * the first by rank starts. Each operation takes logarithmic time in the number of waiting tasks.
 *
 * <p>Not thread-safe and without a clock: the caller holds a lock and passes the time.
 */
final class RunQueue {
  private final RunCapacity capacity;
  private final Map<TaskId, Waiting> waiting = new HashMap<>();
  private final Map<TaskId, RunningEntry> running = new HashMap<>();
  private final Map<LaneKey, Lane> lanes = new HashMap<>();

  /** The tasks that wait for the end of each task. */
  private final Map<TaskId, Set<TaskId>> followers = new HashMap<>();

  /** Tasks whose delay has not passed, the earliest first. */
  private final NavigableSet<QueueEntry> delayed =
      new TreeSet<>(Comparator.comparingLong(QueueEntry::dueMs).thenComparing(QueueEntry::id));

  /** Tasks that can never start, until they are ended and removed. */
  private final Map<TaskId, Unstartable> unstartable = new LinkedHashMap<>();

  private record LaneKey(SessionId session, String name) {}

  private static final class Lane {
    private final NavigableSet<QueueEntry> waiting = new TreeSet<>(QueueEntry.BY_ID);
    private final Set<TaskId> running = new HashSet<>();
  }

  private static final class Waiting {
    private final QueueEntry entry;
    private final Set<TaskId> pending = new TreeSet<>();
    private boolean due;
    private boolean forRoom;

    Waiting(QueueEntry entry) {
      this.entry = entry;
    }
  }

  /** A running task; {@code released}: whether it has left its lane and the quotas. */
  private record RunningEntry(QueueEntry entry, boolean released) {
    boolean counted() {
      return entry.counted() && !released;
    }

    boolean inLane() {
      return entry.lane() != null && !released;
    }
  }

  /** Why a task can never start: a dependency failed. */
  record Unstartable(TaskId dependency, String detail) {}

  RunQueue(RunCapacity.Limits limits) {
    this.capacity = new RunCapacity(limits);
  }

  void limit(RunCapacity.Limits limits) {
    capacity.limit(limits);
  }

  int runningCount() {
    return running.size();
  }

  int waitingCount() {
    return waiting.size();
  }

  boolean isWaiting(TaskId taskId) {
    return waiting.containsKey(taskId);
  }

  /** Adds a task to the queue, ordered by age and priority. */
  void await(QueueEntry entry, long nowMs) {
    remove(entry.id());
    var it = new Waiting(entry);
    waiting.put(entry.id(), it);
    it.due = entry.dueMs() <= nowMs;
    if (!it.due) {
      delayed.add(entry);
    }
    it.pending.addAll(entry.after());
    it.pending.addAll(entry.afterAny());
    it.pending.forEach(dep -> followers.computeIfAbsent(dep, _ -> new HashSet<>()).add(entry.id()));
    var lane = laneOf(entry);
    if (lane != null) {
      var headBefore = lane.waiting.isEmpty() ? null : lane.waiting.first();
      lane.waiting.add(entry);
      refresh(headBefore);
    }
    refresh(entry);
  }

  /**
   * The task runs. A ready service has left its lane and the quotas, and takes capacity without
   * quota.
   */
  void enter(QueueEntry entry, boolean readyService) {
    remove(entry.id());
    var lane = laneOf(entry);
    var runs = new RunningEntry(entry, readyService);
    running.put(entry.id(), runs);
    capacity.take(entry, runs.counted());
    if (lane != null && runs.inLane()) {
      lane.running.add(entry.id());
      refreshHead(lane);
    }
    dropIfEmpty(entry);
  }

  /** The task leaves its lane and the quotas, as a ready service does, if it runs. */
  void release(TaskId taskId) {
    var runs = running.get(taskId);
    if (runs != null) {
      enter(runs.entry(), true);
    }
  }

  /** The task counts as this entry says from now on, above the quotas if need be. */
  void recount(QueueEntry entry, long nowMs) {
    var runs = running.get(entry.id());
    if (runs != null) {
      enter(entry, runs.released());
    } else if (waiting.containsKey(entry.id())) {
      await(entry, nowMs);
    }
  }

  /** The task is over or removed; its capacity is free. */
  void remove(TaskId taskId) {
    unstartable.remove(taskId);
    var runs = running.remove(taskId);
    if (runs != null) {
      leave(runs);
    }
    var waits = waiting.remove(taskId);
    if (waits != null) {
      forget(waits);
    }
  }

  private void leave(RunningEntry it) {
    capacity.free(it.entry(), it.counted());
    var lane = laneOf(it.entry());
    if (lane != null && it.inLane()) {
      lane.running.remove(it.entry().id());
      refreshHead(lane);
    }
    dropIfEmpty(it.entry());
  }

  private void forget(Waiting it) {
    if (it.forRoom) {
      capacity.awaitNoMore(it.entry);
    }
    delayed.remove(it.entry);
    it.pending.forEach(dep -> unfollow(dep, it.entry.id()));
    var lane = laneOf(it.entry);
    if (lane != null) {
      lane.waiting.remove(it.entry);
      refreshHead(lane);
    }
    dropIfEmpty(it.entry);
  }

  private void unfollow(TaskId dependency, TaskId follower) {
    var those = followers.get(dependency);
    if (those != null && those.remove(follower) && those.isEmpty()) {
      followers.remove(dependency);
    }
  }

  /** Whether it could start at once, before all waiting tasks. */
  boolean admits(QueueEntry entry, long nowMs) {
    if (entry.hasConditions(nowMs)) {
      return false;
    }
    var name = entry.lane();
    var laneIsFree = name == null || !lanes.containsKey(new LaneKey(entry.session(), name));
    return laneIsFree && capacity.admits(entry);
  }

  /** Whether one more task without quota may run. */
  boolean hasPlace() {
    return capacity.hasPlace();
  }

  /** Says that no place for a task without quota is free, and which tasks of this session run. */
  String placesTaken(SessionId session) {
    var those =
        running.values().stream()
            .filter(it -> !it.counted() && it.entry().session().equals(session))
            .map(RunningEntry::entry)
            .sorted(QueueEntry.BY_ID)
            .toList();
    var own =
        those.isEmpty()
            ? ""
            : ", some of them by session %s: %s"
                .formatted(session, Naming.of(those, those.size()).text());
    return "all %d places for commands are taken (max_running_commands)%s"
        .formatted(capacity.places(), own);
  }

  /** The task to start now; null if none can. */
  @Nullable QueueEntry next() {
    return capacity.next();
  }

  boolean isFollowed(TaskId taskId) {
    return followers.containsKey(taskId);
  }

  /**
   * A dependency is over. With a detail it failed, so tasks that need its success can never start.
   */
  void ended(TaskId dependency, @Nullable String badly) {
    for (var follower : List.copyOf(followers.getOrDefault(dependency, Set.of()))) {
      var it = waiting.get(follower);
      if (it == null) {
        continue;
      }
      if (badly != null && it.entry.after().contains(dependency)) {
        unstartable.putIfAbsent(follower, new Unstartable(dependency, badly));
      } else {
        it.pending.remove(dependency);
        unfollow(dependency, follower);
        refresh(it.entry);
      }
    }
  }

  /** Tasks that can never start, at most {@code max}. */
  Map<TaskId, Unstartable> unstartable(int max) {
    var some = new LinkedHashMap<TaskId, Unstartable>();
    for (var each : unstartable.entrySet()) {
      if (some.size() == max) {
        break;
      }
      some.put(each.getKey(), each.getValue());
    }
    return some;
  }

  /** Sets the current time, which may jump in either direction between two calls. */
  void at(long nowMs) {
    while (!delayed.isEmpty() && delayed.first().dueMs() <= nowMs) {
      var entry = delayed.removeFirst();
      var it = waiting.get(entry.id());
      if (it != null) {
        it.due = true;
        refresh(entry);
      }
    }
  }

  /** When the next delay ends; null if there is none. */
  @Nullable Long nextDueMs() {
    return delayed.isEmpty() ? null : (Long) delayed.first().dueMs();
  }

  /** The positions of those of these tasks that wait; each queue is walked once for all of them. */
  Map<TaskId, QueuePlace> places(Collection<TaskId> taskIds) {
    var positions = new IdentityHashMap<NavigableSet<QueueEntry>, Map<TaskId, Integer>>();
    var asked = new ArrayList<Waiting>();
    for (var taskId : taskIds) {
      var it = waiting.get(taskId);
      if (it != null) {
        asked.add(it);
        var queue = queueOf(it);
        if (queue != null) {
          positions.computeIfAbsent(queue, _ -> new HashMap<>()).put(taskId, 0);
        }
      }
    }
    positions.forEach(RunQueue::number);
    var places = new HashMap<TaskId, QueuePlace>();
    for (var it : asked) {
      var queue = queueOf(it);
      var position =
          queue == null
              ? 0
              : positions.getOrDefault(queue, Map.of()).getOrDefault(it.entry.id(), 0);
      places.put(it.entry.id(), place(it, position));
    }
    return places;
  }

  private static void number(NavigableSet<QueueEntry> queue, Map<TaskId, Integer> wanted) {
    var position = 0;
    var left = wanted.size();
    for (var entry : queue) {
      position++;
      if (wanted.replace(entry.id(), position) != null) {
        left--;
      }
      if (left == 0) {
        return;
      }
    }
  }

  /**
   * The queue in which it has its position; null if it waits for something else than other tasks.
   */
  private @Nullable NavigableSet<QueueEntry> queueOf(Waiting it) {
    var lane = laneOf(it.entry);
    if (lane != null && !isHead(lane, it.entry)) {
      return lane.waiting;
    }
    return it.forRoom ? capacity.queueOf(it.entry) : null;
  }

  private QueuePlace place(Waiting it, int position) {
    var count = Math.max(0, position - 1);
    var lane = laneOf(it.entry);
    if (lane != null && !isHead(lane, it.entry)) {
      var holders = lane.running.stream().map(this::runningEntry).sorted(QueueEntry.BY_ID).toList();
      var before = before(lane, it.entry, holders);
      var naming = Naming.of(holders, holders.size());
      var ahead = (before == null ? naming : naming.labelling(before)).ahead(count, 1);
      var behind = before == null ? null : before.id();
      return new QueuePlace(position, QueuePlace.Reason.LANE, behind, 0, ahead);
    }
    if (!it.pending.isEmpty()) {
      var first = it.pending.iterator().next();
      return new QueuePlace(0, QueuePlace.Reason.AFTER, first, 0, predecessors(it));
    }
    if (!it.due) {
      return new QueuePlace(0, QueuePlace.Reason.DELAY, null, it.entry.dueMs());
    }
    var ahead = capacity.ahead(it.entry, count);
    return new QueuePlace(position, capacity.reason(it.entry), null, 0, ahead);
  }

  private QueueEntry runningEntry(TaskId taskId) {
    return Objects.requireNonNull(running.get(taskId)).entry();
  }

  private static @Nullable QueueEntry before(
      Lane lane, QueueEntry entry, List<QueueEntry> holders) {
    var earlier = lane.waiting.lower(entry);
    if (earlier != null) {
      return earlier;
    }
    return holders.isEmpty() ? null : holders.getFirst();
  }

  private static QueuePlace.Ahead predecessors(Waiting it) {
    var named = it.pending.stream().limit(QueuePlace.Ahead.TASKS_MAX).toList();
    return new QueuePlace.Ahead(0, 0, named, it.pending.size() - named.size(), Map.of());
  }

  private @Nullable Lane laneOf(QueueEntry entry) {
    var name = entry.lane();
    return name == null
        ? null
        : lanes.computeIfAbsent(new LaneKey(entry.session(), name), _ -> new Lane());
  }

  private void dropIfEmpty(QueueEntry entry) {
    var lane = laneOf(entry);
    var name = entry.lane();
    if (lane != null && name != null && lane.waiting.isEmpty() && lane.running.isEmpty()) {
      lanes.remove(new LaneKey(entry.session(), name));
    }
  }

  private static boolean isHead(Lane lane, QueueEntry entry) {
    return lane.running.isEmpty()
        && !lane.waiting.isEmpty()
        && lane.waiting.first().id().equals(entry.id());
  }

  private void refreshHead(Lane lane) {
    if (!lane.waiting.isEmpty()) {
      refresh(lane.waiting.first());
    }
  }

  /** Lets a task wait for capacity exactly while nothing else blocks it. */
  private void refresh(@Nullable QueueEntry entry) {
    var it = entry == null ? null : waiting.get(entry.id());
    if (it == null) {
      return;
    }
    var lane = laneOf(it.entry);
    var may = it.due && it.pending.isEmpty() && (lane == null || isHead(lane, it.entry));
    if (may && !it.forRoom) {
      capacity.await(it.entry);
    } else if (!may && it.forRoom) {
      capacity.awaitNoMore(it.entry);
    }
    it.forRoom = may;
  }
}
