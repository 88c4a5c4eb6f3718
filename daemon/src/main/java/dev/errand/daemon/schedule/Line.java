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
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Who runs, who waits, and who is next. A task may start when its lane has come to it, those that
 * it follows are over, its time has come, and there is room; among such the first by rank starts.
 * Each move costs the logarithm of how many wait.
 *
 * <p>It knows nothing of threads and clocks: who uses it holds a lock and tells it the time.
 */
final class Line {
  private final Room room;
  private final Map<TaskId, Waiting> waiting = new HashMap<>();
  private final Map<TaskId, Inside> inside = new HashMap<>();
  private final Map<LaneKey, Lane> lanes = new HashMap<>();

  /** Who waits for a task's end. */
  private final Map<TaskId, Set<TaskId>> followers = new HashMap<>();

  /** Those whose time has not come, the earliest first. */
  private final NavigableSet<Entrant> delayed =
      new TreeSet<>(Comparator.comparingLong(Entrant::dueMs).thenComparing(Entrant::id));

  /** Those that will never start, until they are told so and removed. */
  private final Map<TaskId, Doom> doomed = new LinkedHashMap<>();

  private record LaneKey(SessionId session, String name) {}

  private static final class Lane {
    private final NavigableSet<Entrant> waiting = new TreeSet<>(Entrant.BY_ID);
    private final Set<TaskId> inside = new HashSet<>();
  }

  private static final class Waiting {
    private final Entrant entrant;
    private final Set<TaskId> pending = new TreeSet<>();
    private boolean due;
    private boolean forRoom;

    Waiting(Entrant entrant) {
      this.entrant = entrant;
    }
  }

  /** One that runs; {@code counted} is whether it takes of the quotas now. */
  private record Inside(Entrant entrant, boolean counted, boolean inLane) {}

  /** Why a task will never start: what it was to follow did not end well. */
  record Doom(TaskId dependency, String detail) {}

  Line(Room.Limits limits) {
    this.room = new Room(limits);
  }

  void limit(Room.Limits limits) {
    room.limit(limits);
  }

  int runningCount() {
    return inside.size();
  }

  int waitingCount() {
    return waiting.size();
  }

  boolean isWaiting(TaskId taskId) {
    return waiting.containsKey(taskId);
  }

  /** Puts a task into the line, at its place by age and priority. */
  void await(Entrant entrant, long nowMs) {
    remove(entrant.id());
    var it = new Waiting(entrant);
    waiting.put(entrant.id(), it);
    it.due = entrant.dueMs() <= nowMs;
    if (!it.due) {
      delayed.add(entrant);
    }
    it.pending.addAll(entrant.after());
    it.pending.addAll(entrant.afterAny());
    it.pending.forEach(
        dep -> followers.computeIfAbsent(dep, _ -> new HashSet<>()).add(entrant.id()));
    var lane = laneOf(entrant);
    if (lane != null) {
      var headBefore = lane.waiting.isEmpty() ? null : lane.waiting.first();
      lane.waiting.add(entrant);
      refresh(headBefore);
    }
    refresh(entrant);
  }

  /**
   * The task runs. A service that is ready has left its lane and the quotas, and takes an ordinary
   * place.
   */
  void enter(Entrant entrant, boolean readyService) {
    remove(entrant.id());
    var counted = entrant.counted() && !readyService;
    var lane = laneOf(entrant);
    inside.put(entrant.id(), new Inside(entrant, counted, lane != null && !readyService));
    room.take(entrant, counted);
    if (lane != null && !readyService) {
      lane.inside.add(entrant.id());
      refreshHead(lane);
    }
    dropIfEmpty(entrant);
  }

  /** The task is over or gone; what it took is free. */
  void remove(TaskId taskId) {
    doomed.remove(taskId);
    var runs = inside.remove(taskId);
    if (runs != null) {
      leave(runs);
    }
    var waits = waiting.remove(taskId);
    if (waits != null) {
      forget(waits);
    }
  }

  private void leave(Inside it) {
    room.free(it.entrant(), it.counted());
    var lane = laneOf(it.entrant());
    if (lane != null && it.inLane()) {
      lane.inside.remove(it.entrant().id());
      refreshHead(lane);
    }
    dropIfEmpty(it.entrant());
  }

  private void forget(Waiting it) {
    if (it.forRoom) {
      room.awaitNoMore(it.entrant);
    }
    delayed.remove(it.entrant);
    it.pending.forEach(dep -> unfollow(dep, it.entrant.id()));
    var lane = laneOf(it.entrant);
    if (lane != null) {
      lane.waiting.remove(it.entrant);
      refreshHead(lane);
    }
    dropIfEmpty(it.entrant);
  }

  private void unfollow(TaskId dependency, TaskId follower) {
    var those = followers.get(dependency);
    if (those != null && those.remove(follower) && those.isEmpty()) {
      followers.remove(dependency);
    }
  }

  /** Whether it could start at once, before all who wait. */
  boolean admits(Entrant entrant, long nowMs) {
    if (entrant.hasConditions(nowMs)) {
      return false;
    }
    var name = entrant.lane();
    var laneIsFree = name == null || !lanes.containsKey(new LaneKey(entrant.session(), name));
    return laneIsFree && room.admits(entrant);
  }

  /** Who is to start now; null where nobody can. */
  @Nullable Entrant next() {
    return room.next();
  }

  boolean isFollowed(TaskId taskId) {
    return followers.containsKey(taskId);
  }

  /** A task is over. With a detail it did not end well, which dooms those that are to follow it. */
  void ended(TaskId dependency, @Nullable String badly) {
    for (var follower : List.copyOf(followers.getOrDefault(dependency, Set.of()))) {
      var it = waiting.get(follower);
      if (it == null) {
        continue;
      }
      if (badly != null && it.entrant.after().contains(dependency)) {
        doomed.putIfAbsent(follower, new Doom(dependency, badly));
      } else {
        it.pending.remove(dependency);
        unfollow(dependency, follower);
        refresh(it.entrant);
      }
    }
  }

  /** Those that will never start, at most so many. */
  Map<TaskId, Doom> doomed(int max) {
    var some = new LinkedHashMap<TaskId, Doom>();
    for (var each : doomed.entrySet()) {
      if (some.size() == max) {
        break;
      }
      some.put(each.getKey(), each.getValue());
    }
    return some;
  }

  /** The time is now this; it may have been set back or ahead since the last call. */
  void at(long nowMs) {
    while (!delayed.isEmpty() && delayed.first().dueMs() <= nowMs) {
      var entrant = delayed.removeFirst();
      var it = waiting.get(entrant.id());
      if (it != null) {
        it.due = true;
        refresh(entrant);
      }
    }
  }

  /** When the next delay ends; null where none is. */
  @Nullable Long nextDueMs() {
    return delayed.isEmpty() ? null : (Long) delayed.first().dueMs();
  }

  /** Where those of these tasks stand that wait; each line is walked once for all of them. */
  Map<TaskId, QueuePlace> places(Collection<TaskId> taskIds) {
    var positions = new IdentityHashMap<NavigableSet<Entrant>, Map<TaskId, Integer>>();
    var asked = new ArrayList<Waiting>();
    for (var taskId : taskIds) {
      var it = waiting.get(taskId);
      if (it != null) {
        asked.add(it);
        var line = lineOf(it);
        if (line != null) {
          positions.computeIfAbsent(line, _ -> new HashMap<>()).put(taskId, 0);
        }
      }
    }
    positions.forEach(Line::number);
    var places = new HashMap<TaskId, QueuePlace>();
    for (var it : asked) {
      var line = lineOf(it);
      var position =
          line == null
              ? 0
              : positions.getOrDefault(line, Map.of()).getOrDefault(it.entrant.id(), 0);
      places.put(it.entrant.id(), place(it, position));
    }
    return places;
  }

  private static void number(NavigableSet<Entrant> line, Map<TaskId, Integer> wanted) {
    var position = 0;
    var left = wanted.size();
    for (var entrant : line) {
      position++;
      if (wanted.replace(entrant.id(), position) != null) {
        left--;
      }
      if (left == 0) {
        return;
      }
    }
  }

  /** Those among whom it has its position; null where it waits for something else than others. */
  private @Nullable NavigableSet<Entrant> lineOf(Waiting it) {
    var lane = laneOf(it.entrant);
    if (lane != null && !isHead(lane, it.entrant)) {
      return lane.waiting;
    }
    return it.forRoom ? room.lineOf(it.entrant) : null;
  }

  private QueuePlace place(Waiting it, int position) {
    var lane = laneOf(it.entrant);
    if (lane != null && !isHead(lane, it.entrant)) {
      return new QueuePlace(position, QueuePlace.Reason.LANE, before(lane, it.entrant), 0);
    }
    if (!it.pending.isEmpty()) {
      return new QueuePlace(0, QueuePlace.Reason.AFTER, it.pending.iterator().next(), 0);
    }
    if (!it.due) {
      return new QueuePlace(0, QueuePlace.Reason.DELAY, null, it.entrant.dueMs());
    }
    return new QueuePlace(position, room.reason(it.entrant), null, 0);
  }

  private static @Nullable TaskId before(Lane lane, Entrant entrant) {
    var earlier = lane.waiting.lower(entrant);
    if (earlier != null) {
      return earlier.id();
    }
    return lane.inside.isEmpty() ? null : lane.inside.iterator().next();
  }

  private @Nullable Lane laneOf(Entrant entrant) {
    var name = entrant.lane();
    return name == null
        ? null
        : lanes.computeIfAbsent(new LaneKey(entrant.session(), name), _ -> new Lane());
  }

  private void dropIfEmpty(Entrant entrant) {
    var lane = laneOf(entrant);
    var name = entrant.lane();
    if (lane != null && name != null && lane.waiting.isEmpty() && lane.inside.isEmpty()) {
      lanes.remove(new LaneKey(entrant.session(), name));
    }
  }

  private static boolean isHead(Lane lane, Entrant entrant) {
    return lane.inside.isEmpty()
        && !lane.waiting.isEmpty()
        && lane.waiting.first().id().equals(entrant.id());
  }

  private void refreshHead(Lane lane) {
    if (!lane.waiting.isEmpty()) {
      refresh(lane.waiting.first());
    }
  }

  /** Lets a task wait for room as soon as nothing else holds it back, and not before. */
  private void refresh(@Nullable Entrant entrant) {
    var it = entrant == null ? null : waiting.get(entrant.id());
    if (it == null) {
      return;
    }
    var lane = laneOf(it.entrant);
    var may = it.due && it.pending.isEmpty() && (lane == null || isHead(lane, it.entrant));
    if (may && !it.forRoom) {
      room.await(it.entrant);
    } else if (!may && it.forRoom) {
      room.awaitNoMore(it.entrant);
    }
    it.forRoom = may;
  }
}
