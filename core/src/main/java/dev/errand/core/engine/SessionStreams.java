package dev.errand.core.engine;

import dev.errand.core.journal.Journal;
import dev.errand.core.journal.StreamKey;
import dev.errand.core.task.SessionId;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;
import java.util.stream.Stream;

/** The last seq of each session's stream, with one writer at a time. */
final class SessionStreams {

  /** Striped by hash: a lock for each session could never be dropped. */
  private static final int LOCKS = 256;

  private final Journal journal;
  private final List<ReentrantLock> locks =
      Stream.generate(ReentrantLock::new).limit(LOCKS).toList();

  SessionStreams(Journal journal) {
    this.journal = journal;
  }

  /**
   * Calls {@code work} with the seq of the stream's last frame, under a lock. The work must not
   * call this for another session.
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
