package dev.errand.core.engine;

import dev.errand.core.journal.Journal;
import dev.errand.core.journal.StreamKey;
import dev.errand.core.task.SessionId;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;

/** Where each session's stream ends, one writer at a time. */
final class SessionStreams {
  private final Journal journal;
  private final ConcurrentHashMap<SessionId, ReentrantLock> locks = new ConcurrentHashMap<>();

  SessionStreams(Journal journal) {
    this.journal = journal;
  }

  /** Calls with the seq of the stream's last frame, while nobody else can add one. */
  void with(SessionId sessionId, LongConsumer work) {
    var lock = locks.computeIfAbsent(sessionId, _ -> new ReentrantLock());
    lock.lock();
    try {
      work.accept(journal.lastSeq(StreamKey.of(sessionId)));
    } finally {
      lock.unlock();
    }
  }
}
