package dev.errand.core.engine;

import dev.errand.core.journal.Journal;
import dev.errand.core.journal.StreamKey;
import dev.errand.core.task.SessionId;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;
import java.util.stream.Stream;

/** Where each session's stream ends, one writer at a time. */
final class SessionStreams {

  /** Sessions share these by hash, since nothing says when a session's own could go. */
  private static final int LOCKS = 256;

  private final Journal journal;
  private final List<ReentrantLock> locks =
      Stream.generate(ReentrantLock::new).limit(LOCKS).toList();

  SessionStreams(Journal journal) {
    this.journal = journal;
  }

  /**
   * Calls with the seq of the stream's last frame, while nobody else can add one. The work must not
   * come back for another session.
   */
  void with(SessionId sessionId, LongConsumer work) {
    var lock = locks.get(Math.floorMod(sessionId.hashCode(), LOCKS));
    lock.lock();
    try {
      work.accept(journal.lastSeq(StreamKey.of(sessionId)));
    } finally {
      lock.unlock();
    }
  }
}
