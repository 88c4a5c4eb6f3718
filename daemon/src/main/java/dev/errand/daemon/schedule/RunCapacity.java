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
 * The places and quotas, and those who wait for nothing else. Of each session just its first is
 * shown to the quota of all, and only while the session has room, so no search steps over the many
 * that cannot start. What runs on a place that is lent to it needs no room.
 */
final class RunCapacity {
  private Limits limits;

  /** Those that need a place. */
  private final NavigableSet<QueueEntry> forPlaces = new TreeSet<>(QueueEntry.BY_RANK);

  /** Those that count against the quotas, of all sessions. */
  private final NavigableSet<QueueEntry> forQuotas = new TreeSet<>(QueueEntry.BY_RANK);

  /** The first of each session whose own quota has room. */
  private final NavigableSet<QueueEntry> firsts = new TreeSet<>(QueueEntry.BY_RANK);

  private final Map<SessionId, Quota> quotas = new HashMap<>();
  private final QuotaLending lending = new QuotaLending(this::count);
  private int placesTaken;
  private int quotaTaken;

  /** How many may run: of those that do not count, of those that do in a session and in all. */
  record Limits(int places, int perSession, int overall) {}

  private static final class Quota {
    private final NavigableSet<QueueEntry> waiting = new TreeSet<>(QueueEntry.BY_RANK);
    private int taken;
    private @Nullable QueueEntry shown;
  }

  RunCapacity(Limits limits) {
    this.limits = limits;
  }

  /** From now on these hold; what runs above them goes on. */
  void limit(Limits others) {
    limits = others;
    List.copyOf(quotas.keySet()).forEach(this::show);
  }

  /** From now on it waits for room only. */
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

  /** Takes room, even where there is none: what runs already cannot be refused. */
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
    quota(entry).taken += by;
    show(entry.session());
  }

  /** The first that has room; null where nobody has. */
  @Nullable QueueEntry next() {
    var place = placesTaken < limits.places() && !forPlaces.isEmpty() ? forPlaces.first() : null;
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

  /** Whether there is room for this one and nobody before it waits for the same. */
  boolean admits(QueueEntry entry) {
    if (!entry.counted()) {
      return placesTaken < limits.places() && isBefore(entry, forPlaces);
    }
    if (lending.isLentTo(entry)) {
      var first = lending.first();
      return first == null || QueueEntry.BY_RANK.compare(entry, first) < 0;
    }
    var quota = quotas.get(entry.session());
    return quotaTaken < limits.overall()
        && (quota == null || quota.taken < limits.perSession())
        && limits.perSession() > 0
        && isBefore(entry, firsts);
  }

  private static boolean isBefore(QueueEntry entry, NavigableSet<QueueEntry> those) {
    return those.isEmpty() || QueueEntry.BY_RANK.compare(entry, those.first()) < 0;
  }

  /** What keeps one waiting that waits for room only. */
  QueuePlace.Reason reason(QueueEntry entry) {
    if (!entry.counted()) {
      return QueuePlace.Reason.PLACE;
    }
    return quota(entry).taken >= limits.perSession()
        ? QueuePlace.Reason.SESSION_QUOTA
        : QueuePlace.Reason.GLOBAL_QUOTA;
  }

  /** Those among whom one that waits for room only has its position. */
  NavigableSet<QueueEntry> queueOf(QueueEntry entry) {
    if (!entry.counted()) {
      return forPlaces;
    }
    return reason(entry) == QueuePlace.Reason.SESSION_QUOTA ? quota(entry).waiting : forQuotas;
  }

  private Quota quota(QueueEntry entry) {
    return quotas.computeIfAbsent(entry.session(), _ -> new Quota());
  }

  private void show(SessionId session) {
    var quota = quotas.get(session);
    if (quota == null) {
      return;
    }
    var open = quota.taken < limits.perSession() && !quota.waiting.isEmpty();
    var first = open ? quota.waiting.first() : null;
    if (quota.shown != null) {
      firsts.remove(quota.shown);
    }
    if (first != null) {
      firsts.add(first);
    }
    quota.shown = first;
    if (quota.taken == 0 && quota.waiting.isEmpty()) {
      quotas.remove(session);
    }
  }
}
