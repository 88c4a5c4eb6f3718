package dev.errand.daemon.schedule;

import dev.errand.core.task.QueuePlace;
import dev.errand.core.task.SessionId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The limits on running tasks, and the tasks that wait only for them. For the overall quota only
 * the first task of each session is a candidate, and only while the session has free quota, so no
 * search passes over many tasks that cannot start. A task that runs on a lent quota needs no free
 * quota.
 */
final class RunCapacity {
  private Limits limits;

  /** Tasks that do not count against quotas. */
  private final NavigableSet<QueueEntry> forPlaces = new TreeSet<>(QueueEntry.BY_RANK);

  /** Tasks of all sessions that count against the quotas. */
  private final NavigableSet<QueueEntry> forQuotas = new TreeSet<>(QueueEntry.BY_RANK);

  /** The first task of each session with free quota. */
  private final NavigableSet<QueueEntry> firsts = new TreeSet<>(QueueEntry.BY_RANK);

  private final Map<SessionId, Quota> quotas = new HashMap<>();
  private final QuotaLending lending = new QuotaLending(this::count);
  private int placesTaken;
  private int quotaTaken;

  /** Limits of running tasks: without quota, and with quota for each session and overall. */
  record Limits(int places, int perSession, int overall) {}

  private static final class Quota {
    private final NavigableSet<QueueEntry> waiting = new TreeSet<>(QueueEntry.BY_RANK);

    /** The running tasks that count, the oldest first. */
    private final NavigableSet<QueueEntry> holders = new TreeSet<>(QueueEntry.BY_ID);

    private @Nullable QueueEntry shown;

    int taken() {
      return holders.size();
    }
  }

  RunCapacity(Limits limits) {
    this.limits = limits;
  }

  /** Changes the limits; tasks already running above them go on. */
  void limit(Limits others) {
    limits = others;
    List.copyOf(quotas.keySet()).forEach(this::show);
  }

  /** The task now waits only for capacity. */
  void await(QueueEntry entry) {
    if (!entry.counted()) {
      forPlaces.add(entry);
      return;
    }
    forQuotas.add(entry);
    quota(entry).waiting.add(entry);
    show(entry.session());
    lending.await(entry);
  }

  void awaitNoMore(QueueEntry entry) {
    if (!entry.counted()) {
      forPlaces.remove(entry);
      return;
    }
    forQuotas.remove(entry);
    quota(entry).waiting.remove(entry);
    show(entry.session());
    lending.awaitNoMore(entry);
  }

  /** Takes capacity, even above the limit: a running task cannot be refused. */
  void take(QueueEntry entry, boolean counted) {
    if (counted) {
      lending.enter(entry);
    } else {
      placesTaken++;
    }
  }

  void free(QueueEntry entry, boolean counted) {
    if (counted) {
      lending.leave(entry);
    } else {
      placesTaken--;
    }
  }

  private void count(QueueEntry entry, int by) {
    quotaTaken += by;
    var holders = quota(entry).holders;
    if (by > 0) {
      holders.add(entry);
    } else {
      holders.remove(entry);
    }
    show(entry.session());
  }

  /** The first task that can start; null if none can. */
  @Nullable QueueEntry next() {
    var place = hasPlace() && !forPlaces.isEmpty() ? forPlaces.first() : null;
    var quota = quotaTaken < limits.overall() && !firsts.isEmpty() ? firsts.first() : null;
    return earlier(earlier(place, quota), lending.first());
  }

  private static @Nullable QueueEntry earlier(
      @Nullable QueueEntry one, @Nullable QueueEntry other) {
    if (one == null || other == null) {
      return one == null ? other : one;
    }
    return QueueEntry.BY_RANK.compare(one, other) < 0 ? one : other;
  }

  /** Whether there is capacity for this task and no earlier task waits for it. */
  boolean admits(QueueEntry entry) {
    if (!entry.counted()) {
      return hasPlace() && isBefore(entry, forPlaces);
    }
    if (lending.isLentTo(entry)) {
      var first = lending.first();
      return first == null || QueueEntry.BY_RANK.compare(entry, first) < 0;
    }
    var quota = quotas.get(entry.session());
    return quotaTaken < limits.overall()
        && (quota == null || quota.taken() < limits.perSession())
        && limits.perSession() > 0
        && isBefore(entry, firsts);
  }

  private static boolean isBefore(QueueEntry entry, NavigableSet<QueueEntry> those) {
    return those.isEmpty() || QueueEntry.BY_RANK.compare(entry, those.first()) < 0;
  }

  /** Whether a task without quota could start now. */
  boolean hasPlace() {
    return placesTaken < limits.places();
  }

  /** The limit of tasks without quota. */
  int places() {
    return limits.places();
  }

  /** The limit that a task waits for which waits only for capacity. */
  QueuePlace.Reason reason(QueueEntry entry) {
    if (!entry.counted()) {
      return QueuePlace.Reason.PLACE;
    }
    return quota(entry).taken() >= limits.perSession()
        ? QueuePlace.Reason.SESSION_QUOTA
        : QueuePlace.Reason.GLOBAL_QUOTA;
  }

  /** The queue in which a task that waits only for capacity has its position. */
  NavigableSet<QueueEntry> queueOf(QueueEntry entry) {
    if (!entry.counted()) {
      return forPlaces;
    }
    return reason(entry) == QueuePlace.Reason.SESSION_QUOTA ? quota(entry).waiting : forQuotas;
  }

  /**
   * What comes before a task that waits only for capacity; {@code count} tasks wait before it. Of
   * other sessions no task is named.
   */
  QueuePlace.Ahead ahead(QueueEntry entry, int count) {
    return switch (reason(entry)) {
      case SESSION_QUOTA ->
          Naming.of(quota(entry).holders, quota(entry).taken()).ahead(count, limits.perSession());
      case GLOBAL_QUOTA ->
          Naming.of(quota(entry).holders, quotaTaken).ahead(count, limits.overall());
      case PLACE, LANE, AFTER, DELAY ->
          Naming.of(List.of(), placesTaken).ahead(count, limits.places());
    };
  }

  private Quota quota(QueueEntry entry) {
    return quotas.computeIfAbsent(entry.session(), _ -> new Quota());
  }

  private void show(SessionId session) {
    var quota = quotas.get(session);
    if (quota == null) {
      return;
    }
    var open = quota.taken() < limits.perSession() && !quota.waiting.isEmpty();
    var first = open ? quota.waiting.first() : null;
    if (quota.shown != null) {
      firsts.remove(quota.shown);
    }
    if (first != null) {
      firsts.add(first);
    }
    quota.shown = first;
    if (quota.taken() == 0 && quota.waiting.isEmpty()) {
      quotas.remove(session);
    }
  }
}
