package dev.errand.daemon.screen;

import dev.errand.core.task.TaskId;
import dev.errand.core.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** The emulators that were used recently; the one unused for longest is dropped first. */
final class LiveScreens {
  private final int max;
  private final long idleNanos;
  private final Time clock;
  private final BiConsumer<TaskId, Rendering> onLeave;
  private final ReentrantLock lock = new ReentrantLock();
  private final LinkedHashMap<TaskId, Place> places = new LinkedHashMap<>(16, 0.75f, true);

  LiveScreens(int max, Duration idle, BiConsumer<TaskId, Rendering> onLeave, Time clock) {
    this.max = max;
    this.idleNanos = idle.toNanos();
    this.onLeave = onLeave;
    this.clock = clock;
  }

  /** One task's emulator, if there is one; its lock must be held to use it. */
  static final class Place {
    private final ReentrantLock lock = new ReentrantLock();
    private final Time clock;
    private @Nullable Rendering rendering;
    private volatile long usedNanos;

    private Place(Time clock) {
      this.clock = clock;
      this.usedNanos = clock.ticks();
    }

    void lock() {
      lock.lock();
    }

    void unlock() {
      usedNanos = clock.ticks();
      lock.unlock();
    }

    @Nullable Rendering rendering() {
      return rendering;
    }

    void put(Rendering newRendering) {
      rendering = newRendering;
    }
  }

  Place place(TaskId taskId) {
    var leaving = new ArrayList<TaskId>();
    lock.lock();
    try {
      var place = places.computeIfAbsent(taskId, _ -> new Place(clock));
      var now = clock.ticks();
      var excess = places.size() - max;
      for (var entry : places.entrySet()) {
        var isIdle = now - entry.getValue().usedNanos > idleNanos;
        if ((isIdle || excess > leaving.size()) && !entry.getKey().equals(taskId)) {
          leaving.add(entry.getKey());
        }
      }
      return place;
    } finally {
      lock.unlock();
      leave(leaving);
    }
  }

  private void leave(List<TaskId> leaving) {
    for (var taskId : leaving) {
      var place = take(taskId);
      if (place != null) {
        leave(taskId, place);
      }
    }
  }

  private @Nullable Place take(TaskId taskId) {
    lock.lock();
    try {
      return places.remove(taskId);
    } finally {
      lock.unlock();
    }
  }

  /** A caller that uses it now continues with it alone; only its cost is lost. */
  private void leave(TaskId taskId, Place place) {
    if (!place.lock.tryLock()) {
      return;
    }
    try {
      if (place.rendering != null) {
        onLeave.accept(taskId, place.rendering);
      }
    } finally {
      place.lock.unlock();
    }
  }

  /** Without keeping anything. */
  void forget(TaskId taskId) {
    take(taskId);
  }

  int size() {
    lock.lock();
    try {
      return places.size();
    } finally {
      lock.unlock();
    }
  }

  /** Drops those that were not used for long. */
  void leaveIdle() {
    var idle = new ArrayList<TaskId>();
    lock.lock();
    try {
      var now = clock.ticks();
      places.forEach((taskId, place) -> {
        if (now - place.usedNanos > idleNanos) {
          idle.add(taskId);
        }
      });
    } finally {
      lock.unlock();
    }
    leave(idle);
  }

  void close() {
    List<TaskId> all;
    lock.lock();
    try {
      all = List.copyOf(places.keySet());
    } finally {
      lock.unlock();
    }
    leave(all);
  }
}
