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
final class Room {
  private Limits limits;

  /** Those that need a place. */
  private final NavigableSet<Entrant> forPlaces = new TreeSet<>(Entrant.BY_RANK);

  /** Those that count against the quotas, of all sessions. */
  private final NavigableSet<Entrant> forQuotas = new TreeSet<>(Entrant.BY_RANK);

  /** The first of each session whose own quota has room. */
  private final NavigableSet<Entrant> firsts = new TreeSet<>(Entrant.BY_RANK);

  private final Map<SessionId, Quota> quotas = new HashMap<>();
  private final Loans loans = new Loans(this::count);
  private int placesTaken;
  private int quotaTaken;

  /** How many may run: of those that do not count, of those that do in a session and in all. */
  record Limits(int places, int perSession, int overall) {}

  private static final class Quota {
    private final NavigableSet<Entrant> waiting = new TreeSet<>(Entrant.BY_RANK);
    private int taken;
    private @Nullable Entrant shown;
  }

  Room(Limits limits) {
    this.limits = limits;
  }

  /** From now on these hold; what runs above them goes on. */
  void limit(Limits others) {
    limits = others;
    List.copyOf(quotas.keySet()).forEach(this::show);
  }

  /** From now on it waits for room only. */
  void await(Entrant entrant) {
    if (!entrant.counted()) {
      forPlaces.add(entrant);
      return;
    }
    forQuotas.add(entrant);
    quota(entrant).waiting.add(entrant);
    show(entrant.session());
    loans.await(entrant);
  }

  void awaitNoMore(Entrant entrant) {
    if (!entrant.counted()) {
      forPlaces.remove(entrant);
      return;
    }
    forQuotas.remove(entrant);
    quota(entrant).waiting.remove(entrant);
    show(entrant.session());
    loans.awaitNoMore(entrant);
  }

  /** Takes room, even where there is none: what runs already cannot be refused. */
  void take(Entrant entrant, boolean counted) {
    if (counted) {
      loans.enter(entrant);
    } else {
      placesTaken++;
    }
  }

  void free(Entrant entrant, boolean counted) {
    if (counted) {
      loans.leave(entrant);
    } else {
      placesTaken--;
    }
  }

  private void count(Entrant entrant, int by) {
    quotaTaken += by;
    quota(entrant).taken += by;
    show(entrant.session());
  }

  /** The first that has room; null where nobody has. */
  @Nullable Entrant next() {
    var place = placesTaken < limits.places() && !forPlaces.isEmpty() ? forPlaces.first() : null;
    var quota = quotaTaken < limits.overall() && !firsts.isEmpty() ? firsts.first() : null;
    return earlier(earlier(place, quota), loans.first());
  }

  private static @Nullable Entrant earlier(@Nullable Entrant one, @Nullable Entrant other) {
    if (one == null || other == null) {
      return one == null ? other : one;
    }
    return Entrant.BY_RANK.compare(one, other) < 0 ? one : other;
  }

  /** Whether there is room for this one and nobody before it waits for the same. */
  boolean admits(Entrant entrant) {
    if (!entrant.counted()) {
      return placesTaken < limits.places() && isBefore(entrant, forPlaces);
    }
    if (loans.isLentTo(entrant)) {
      var first = loans.first();
      return first == null || Entrant.BY_RANK.compare(entrant, first) < 0;
    }
    var quota = quotas.get(entrant.session());
    return quotaTaken < limits.overall()
        && (quota == null || quota.taken < limits.perSession())
        && limits.perSession() > 0
        && isBefore(entrant, firsts);
  }

  private static boolean isBefore(Entrant entrant, NavigableSet<Entrant> those) {
    return those.isEmpty() || Entrant.BY_RANK.compare(entrant, those.first()) < 0;
  }

  /** What keeps one waiting that waits for room only. */
  QueuePlace.Reason reason(Entrant entrant) {
    if (!entrant.counted()) {
      return QueuePlace.Reason.PLACE;
    }
    return quota(entrant).taken >= limits.perSession()
        ? QueuePlace.Reason.SESSION_QUOTA
        : QueuePlace.Reason.GLOBAL_QUOTA;
  }

  /** Those among whom one that waits for room only has its position. */
  NavigableSet<Entrant> lineOf(Entrant entrant) {
    if (!entrant.counted()) {
      return forPlaces;
    }
    return reason(entrant) == QueuePlace.Reason.SESSION_QUOTA ? quota(entrant).waiting : forQuotas;
  }

  private Quota quota(Entrant entrant) {
    return quotas.computeIfAbsent(entrant.session(), _ -> new Quota());
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
