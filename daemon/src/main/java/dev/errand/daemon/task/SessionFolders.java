package dev.errand.daemon.task;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.errand.core.engine.Engine;
import dev.errand.core.journal.Journal;
import dev.errand.core.journal.Memo;
import dev.errand.core.session.SessionEvent;
import dev.errand.core.task.SessionId;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * The folders of sessions: where their tasks run if nothing names another folder. The first task
 * that names a folder sets it. It stays until it is gone, and then the next task that names one
 * sets it again.
 */
final class SessionFolders {
  /** Its value is what the newest frame about the folder says. */
  private static final String MEMO = "folder";

  /** Striped by hash: a lock for each session could never be dropped. */
  private static final int LOCKS = 64;

  private final Engine engine;
  private final Map<SessionId, String> folders = new ConcurrentHashMap<>();
  private final List<Object> locks = Stream.generate(Object::new).limit(LOCKS).toList();

  SessionFolders(Engine engine, Journal journal) {
    this.engine = engine;
    for (var memo : journal.memos(MEMO)) {
      var value = memo.value();
      if (value != null) {
        folders.put(memo.sessionId(), new String(value, UTF_8));
      }
    }
  }

  Optional<String> find(SessionId sessionId) {
    return Optional.ofNullable(folders.get(sessionId));
  }

  /**
   * A task of the session names this folder; returns when it is recorded, where it is the first.
   */
  void named(SessionId sessionId, String folder, String by) {
    if (isSet(sessionId)) {
      return;
    }
    synchronized (locks.get(Math.floorMod(sessionId.hashCode(), LOCKS))) {
      if (!isSet(sessionId)) {
        engine.record(
            sessionId,
            List.of(new SessionEvent.FolderSet(folder, by)),
            batch -> batch.memo(new Memo(sessionId, MEMO, folder.getBytes(UTF_8))));
        folders.put(sessionId, folder);
      }
    }
  }

  private boolean isSet(SessionId sessionId) {
    var folder = folders.get(sessionId);
    return folder != null && Files.isDirectory(Path.of(folder));
  }
}
