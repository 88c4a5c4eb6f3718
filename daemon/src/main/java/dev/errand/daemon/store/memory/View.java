package dev.errand.daemon.store.memory;

import dev.errand.core.journal.SessionEnd;
import dev.errand.core.journal.SessionRow;
import dev.errand.core.journal.TaskQuery;
import dev.errand.core.journal.TaskRow;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskId;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The view rows in the order of their ids; used under the journal's lock. */
final class View {
  private static final Comparator<TaskRow> BY_END =
      Comparator.<TaskRow>comparingLong(row -> row.lifetime().endedAtMs())
          .thenComparing(TaskRow::id);

  private final TreeMap<TaskId, TaskRow> rows = new TreeMap<>();

  /** The sessions of a task's ancestors, without its own. */
  private final Map<TaskId, Set<SessionId>> above = new HashMap<>();

  /** The same for removed tasks. */
  private final Map<TaskId, Set<SessionId>> aboveRemoved = new HashMap<>();

  private final TreeMap<String, SessionEnd> endedSessions = new TreeMap<>();

  void put(TaskRow row) {
    var parent = row.parent();
    if (parent != null && !has(row.id())) {
      above.put(row.id(), above(row, parent));
    }
    rows.put(row.id(), row);
  }

  private Set<SessionId> above(TaskRow row, TaskId parent) {
    var sessions = new HashSet<>(above.getOrDefault(parent, Set.of()));
    row(parent).ifPresent(it -> sessions.add(it.sessionId()));
    sessions.remove(row.sessionId());
    return sessions;
  }

  boolean descends(TaskId taskId, SessionId sessionId) {
    return above.getOrDefault(taskId, Set.of()).contains(sessionId)
        || aboveRemoved.getOrDefault(taskId, Set.of()).contains(sessionId);
  }

  void remove(TaskId taskId) {
    rows.remove(taskId);
    var sessions = above.remove(taskId);
    if (sessions != null) {
      aboveRemoved.put(taskId, sessions);
    }
  }

  boolean has(TaskId taskId) {
    return rows.containsKey(taskId);
  }

  Optional<TaskRow> row(TaskId taskId) {
    return Optional.ofNullable(rows.get(taskId));
  }

  List<TaskRow> rows(TaskQuery query) {
    var before = query.before();
    NavigableMap<TaskId, TaskRow> older = before == null ? rows : rows.headMap(before, false);
    return older.descendingMap().values().stream()
        .filter(row -> lets(query, row))
        .limit(query.limit())
        .toList();
  }

  private boolean lets(TaskQuery query, TaskRow row) {
    return isOf(query, row)
        && (query.label() == null || query.label().equals(row.label()))
        && (query.kind() == null || query.kind().equals(row.kind()))
        && (query.statuses().isEmpty() || query.statuses().contains(row.status()))
        && (query.batchId() == null || query.batchId().equals(row.batchId()))
        && (query.active() == null || query.active() == row.active());
  }

  private boolean isOf(TaskQuery query, TaskRow row) {
    var session = query.sessionId();
    return session == null
        || session.equals(row.sessionId())
        || (query.descendants() && descends(row.id(), session));
  }

  void put(SessionEnd end) {
    if (end.atMs() == 0) {
      endedSessions.remove(end.sessionId().value());
    } else {
      endedSessions.put(end.sessionId().value(), end);
    }
  }

  List<SessionEnd> endedSessions() {
    return List.copyOf(endedSessions.values());
  }

  List<SessionRow> sessions(@Nullable SessionId after, int limit) {
    var behind = after == null ? "" : after.value();
    return Stream.concat(
            rows.values().stream().map(row -> row.sessionId().value()),
            endedSessions.keySet().stream())
        .filter(name -> name.compareTo(behind) > 0)
        .distinct()
        .sorted()
        .limit(limit)
        .flatMap(name -> session(new SessionId(name)).stream())
        .toList();
  }

  Optional<SessionRow> session(SessionId sessionId) {
    var own = rows.values().stream().filter(row -> row.sessionId().equals(sessionId)).toList();
    var end = endedSessions.get(sessionId.value());
    if (own.isEmpty() && end == null) {
      return Optional.empty();
    }
    var lastEnd =
        own.reversed().stream()
            .limit(SessionRow.LAST_END_AMONG)
            .mapToLong(row -> row.lifetime().endedAtMs())
            .max()
            .orElse(0);
    return Optional.of(
        new SessionRow(
            sessionId,
            own.size(),
            own.isEmpty() ? null : own.getLast().id(),
            lastEnd,
            end == null ? 0 : end.atMs()));
  }

  List<TaskId> idsWithPrefix(String prefix, int limit) {
    return rows.descendingKeySet().stream()
        .filter(id -> id.value().startsWith(prefix))
        .limit(limit)
        .toList();
  }

  List<TaskRow> readBefore(long beforeMs, int limit) {
    return ended()
        .filter(row -> row.lifetime().readAtMs() > 0 && row.lifetime().readAtMs() < beforeMs)
        .sorted(BY_END)
        .limit(limit)
        .toList();
  }

  List<TaskRow> oldestEnded(int limit) {
    return ended().sorted(BY_END).limit(limit).toList();
  }

  long bytesStored() {
    return ended().mapToLong(row -> row.lifetime().bytesStored()).sum();
  }

  private Stream<TaskRow> ended() {
    return rows.values().stream().filter(row -> row.lifetime().endedAtMs() > 0);
  }
}
