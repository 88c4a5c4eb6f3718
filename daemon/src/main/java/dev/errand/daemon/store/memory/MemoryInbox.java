package dev.errand.daemon.store.memory;

import dev.errand.core.journal.Cursor;
import dev.errand.core.journal.InboxChange;
import dev.errand.core.journal.Memo;
import dev.errand.core.journal.NoticeEntry;
import dev.errand.core.journal.NoticeQuery;
import dev.errand.core.session.Merge;
import dev.errand.core.session.Notice;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskId;
import dev.errand.daemon.store.Cursors;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The notices in the order of their arrival, and the memos; used under the journal's lock. */
final class MemoryInbox {
  private final TreeMap<Long, Stored> notices = new TreeMap<>();
  private final Map<String, Long> positions = new HashMap<>();
  private final Map<String, Map<SessionId, Memo>> memos = new HashMap<>();
  private long lastPosition;

  private record Stored(Notice notice, @Nullable String likeness, boolean acknowledged) {
    Stored asAcknowledged() {
      return new Stored(notice, likeness, true);
    }

    boolean isOf(SessionId sessionId) {
      return notice.subject().sessionId().equals(sessionId);
    }

    TaskId taskId() {
      return notice.subject().taskId();
    }

    boolean isLike(TaskId taskId, @Nullable String other) {
      return !acknowledged && other != null && other.equals(likeness) && taskId().equals(taskId);
    }
  }

  void apply(InboxChange change, View view) {
    switch (change) {
      case InboxChange.Arrived(var notice, var likeness) -> arrived(notice, likeness);
      case InboxChange.Acknowledged it ->
          unacknowledged(it.sessionId(), it.ids()).forEach(id -> acknowledge(id, view));
      case InboxChange.Withdrawn it ->
          idsOf(stored ->
                  stored.taskId().equals(it.taskId()) && stored.notice().kind() == it.kind())
              .forEach(id -> acknowledge(id, view));
      case InboxChange.Merged(var merge) -> merge(merge);
    }
  }

  private void arrived(Notice notice, @Nullable String likeness) {
    var count = (long) notice.merged();
    for (var old : List.copyOf(notices.values())) {
      if (old.isLike(notice.subject().taskId(), likeness)) {
        count += old.notice().merged();
        remove(old.notice().id());
      }
    }
    lastPosition++;
    var counted = notice.standingFor(Math.clamp(count, 1, Integer.MAX_VALUE));
    notices.put(lastPosition, new Stored(counted, likeness, false));
    positions.put(notice.id(), lastPosition);
  }

  private void acknowledge(String id, View view) {
    var position = positions.get(id);
    var stored = position == null ? null : notices.get(position);
    if (position == null || stored == null) {
      return;
    }
    if (view.has(stored.taskId())) {
      notices.put(position, stored.asAcknowledged());
    } else {
      remove(id);
    }
  }

  private void merge(Merge merge) {
    var position = positions.get(merge.kept().id());
    var sessionId = merge.kept().subject().sessionId();
    if (position != null && unacknowledged(sessionId, merge.gone()).size() == merge.gone().size()) {
      notices.computeIfPresent(
          position, (_, old) -> new Stored(merge.kept(), old.likeness(), old.acknowledged()));
      merge.gone().forEach(this::remove);
    }
  }

  private void remove(String id) {
    var position = positions.remove(id);
    if (position != null) {
      notices.remove(position);
    }
  }

  /** Removes the acknowledged notices of a removed task; the others are still delivered. */
  void taskRemoved(TaskId taskId) {
    idsOf(it -> it.acknowledged() && it.taskId().equals(taskId)).forEach(this::remove);
  }

  private List<String> idsOf(Predicate<Stored> wanted) {
    return notices.values().stream().filter(wanted).map(it -> it.notice().id()).toList();
  }

  List<NoticeEntry> notices(NoticeQuery query, Cursors cursors) {
    var after = position(query.after(), cursors);
    return notices.tailMap(after, false).entrySet().stream()
        .filter(it -> it.getValue().isOf(query.sessionId()))
        .filter(it -> query.all() || !it.getValue().acknowledged())
        .limit(query.limit())
        .map(it ->
            new NoticeEntry(
                it.getValue().notice(), it.getValue().acknowledged(), cursors.at(it.getKey())))
        .toList();
  }

  private long position(Cursor cursor, Cursors cursors) {
    cursors.checkNotPast(cursor, lastPosition);
    return cursors.position(cursor);
  }

  long lastPosition() {
    return lastPosition;
  }

  long unacknowledged(SessionId sessionId) {
    return notices.values().stream().filter(it -> isWaiting(it, sessionId)).count();
  }

  List<String> unacknowledged(SessionId sessionId, List<String> ids) {
    return idsOf(it -> isWaiting(it, sessionId) && ids.contains(it.notice().id()));
  }

  List<String> unacknowledged(SessionId sessionId, TaskId taskId) {
    return idsOf(it -> isWaiting(it, sessionId) && it.taskId().equals(taskId));
  }

  List<String> unacknowledged(SessionId sessionId, Cursor upTo, Cursors cursors) {
    return notices.headMap(position(upTo, cursors), true).values().stream()
        .filter(it -> isWaiting(it, sessionId))
        .map(it -> it.notice().id())
        .toList();
  }

  private static boolean isWaiting(Stored stored, SessionId sessionId) {
    return !stored.acknowledged() && stored.isOf(sessionId);
  }

  void put(Memo memo) {
    var ofName = memos.computeIfAbsent(memo.name(), _ -> new HashMap<>());
    if (memo.value() == null) {
      ofName.remove(memo.sessionId());
    } else {
      ofName.put(memo.sessionId(), memo);
    }
  }

  Optional<Memo> memo(SessionId sessionId, String name) {
    return Optional.ofNullable(memos.getOrDefault(name, Map.of()).get(sessionId));
  }

  List<Memo> memos(String name) {
    return memos.getOrDefault(name, Map.of()).values().stream()
        .sorted(Comparator.comparing((Memo it) -> it.sessionId().value()))
        .toList();
  }
}
