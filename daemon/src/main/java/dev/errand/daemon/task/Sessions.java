package dev.errand.daemon.task;

import dev.errand.core.engine.Engine;
import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.journal.Journal;
import dev.errand.core.journal.SessionEnd;
import dev.errand.core.journal.SessionRow;
import dev.errand.core.journal.TaskQuery;
import dev.errand.core.session.SessionEvent;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.SessionView;
import dev.errand.core.task.StatusWord;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskState;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The sessions. A session starts with its first task and can be ended: its tasks continue, its
 * results stay for a time, and its next task opens it again.
 */
public final class Sessions {
  private static final int TURNS = 256;

  /** How many of its tasks are checked at once before a session is ended. */
  private static final int CHECKED_PAGE_ROWS = 500;

  private final Engine engine;
  private final Journal journal;
  private final InstantSource clock;
  private final SessionFolders folders;

  /** The sessions that are ended now, so that a spawn need not look them up. */
  private final Set<SessionId> ended = ConcurrentHashMap.newKeySet();

  /**
   * Starting a task takes one of these locks shared, ending a session takes it exclusively: in the
   * journal each task of a session comes before its end, or after it and opens it again. Sessions
   * share the locks by hash.
   */
  private final List<ReentrantReadWriteLock> turns =
      Stream.generate(ReentrantReadWriteLock::new).limit(TURNS).toList();

  public Sessions(Engine engine, Journal journal, InstantSource clock) {
    this.engine = engine;
    this.journal = journal;
    this.clock = clock;
    this.folders = new SessionFolders(engine, journal);
    journal.endedSessions().forEach(it -> ended.add(it.sessionId()));
  }

  /** By name, those after {@code after} (null: all). */
  public List<SessionView> list(@Nullable SessionId after, int limit) {
    var live = live();
    return journal.sessions(after, limit).stream().map(it -> view(it, live)).toList();
  }

  /** Throws NOT_FOUND if no task names it. */
  public SessionView show(SessionId sessionId) {
    return find(sessionId).orElseThrow(() -> missing(sessionId));
  }

  public Optional<SessionView> find(SessionId sessionId) {
    return journal.session(sessionId).map(it -> view(it, live()));
  }

  /** Where its tasks run if nothing names another folder; null while none is set. */
  @Nullable String folder(SessionId sessionId) {
    return folders.find(sessionId).orElse(null);
  }

  /**
   * Ends the session; a repeat changes nothing. Its results are removed after a time, so {@code
   * check} runs first and refuses a caller that may not control one of its tasks.
   *
   * @param check null if the caller may control all tasks
   */
  public void end(SessionId sessionId, String by, @Nullable Consumer<TaskId> check) {
    var alone = turn(sessionId).writeLock();
    alone.lock();
    try {
      var row = journal.session(sessionId).orElseThrow(() -> missing(sessionId));
      if (row.endedAtMs() > 0) {
        return;
      }
      if (check != null) {
        checkEach(sessionId, check);
      }
      engine.record(
          sessionId,
          List.of(new SessionEvent.SessionEnded(by)),
          batch -> batch.session(new SessionEnd(sessionId, clock.millis())));
      ended.add(sessionId);
    } finally {
      alone.unlock();
    }
  }

  private void checkEach(SessionId sessionId, Consumer<TaskId> check) {
    @Nullable TaskId before = null;
    do {
      var rows =
          journal.rows(
              new TaskQuery(sessionId, null, null, Set.of(), null, before, CHECKED_PAGE_ROWS));
      rows.forEach(it -> check.accept(it.id()));
      before = rows.size() < CHECKED_PAGE_ROWS ? null : rows.getLast().id();
    } while (before != null);
  }

  /**
   * Starts a task in it, which first opens an ended session again; no end can come between.
   *
   * @param folder the folder that the request names, which may become that of the session; null if
   *     it names none
   */
  <T> T use(SessionId sessionId, String by, @Nullable String folder, Supplier<T> start) {
    var shared = turn(sessionId).readLock();
    shared.lock();
    try {
      open(sessionId, by);
      var started = start.get();
      if (folder != null) {
        folders.named(sessionId, folder, by);
      }
      return started;
    } finally {
      shared.unlock();
    }
  }

  /** One thread opens it, and the others continue when it is open. */
  private void open(SessionId sessionId, String by) {
    if (!ended.contains(sessionId)) {
      return;
    }
    synchronized (ended) {
      if (ended.contains(sessionId)) {
        engine.record(
            sessionId,
            List.of(new SessionEvent.SessionOpened(by)),
            batch -> batch.session(new SessionEnd(sessionId, 0)));
        ended.remove(sessionId);
      }
    }
  }

  private ReentrantReadWriteLock turn(SessionId sessionId) {
    return turns.get(Math.floorMod(sessionId.hashCode(), TURNS));
  }

  private static final class Live {
    private long queued;
    private long running;
    private long lastMs;
  }

  private Map<SessionId, Live> live() {
    var all = new HashMap<SessionId, Live>();
    for (var snapshot : engine.live()) {
      if (snapshot.state() instanceof TaskState.Live it) {
        var known = it.facts();
        var live = all.computeIfAbsent(known.spec().origin().sessionId(), _ -> new Live());
        live.lastMs = Math.max(live.lastMs, Math.max(known.spawnedAtMs(), known.startedAtMs()));
        if (StatusWord.of(it) == StatusWord.RUNNING) {
          live.running++;
        } else {
          live.queued++;
        }
      }
    }
    return all;
  }

  private SessionView view(SessionRow row, Map<SessionId, Live> all) {
    var live = all.getOrDefault(row.id(), new Live());
    var last = Math.max(Math.max(live.lastMs, row.lastEndMs()), row.endedAtMs());
    return new SessionView(
        row.id(),
        live.queued,
        live.running,
        Math.max(0, row.tasks() - live.queued - live.running),
        Math.max(last, madeAt(row.newest())),
        row.endedAtMs(),
        folder(row.id()));
  }

  /** Ids of this daemon start with their creation time. */
  private static long madeAt(@Nullable TaskId taskId) {
    return taskId == null
        ? 0
        : Long.parseLong(taskId.value().replace("-", "").substring(0, 12), 16);
  }

  private static ErrandException missing(SessionId sessionId) {
    return new ErrandException(
        ErrorCode.NOT_FOUND,
        "there is no session %s; a session begins with its first task".formatted(sessionId));
  }
}
