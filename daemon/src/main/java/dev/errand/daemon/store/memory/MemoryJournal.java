package dev.errand.daemon.store.memory;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.journal.ArtifactLink;
import dev.errand.core.journal.Batch;
import dev.errand.core.journal.Cursor;
import dev.errand.core.journal.EncodedFrame;
import dev.errand.core.journal.Fence;
import dev.errand.core.journal.IdempotencyKey;
import dev.errand.core.journal.Journal;
import dev.errand.core.journal.Memo;
import dev.errand.core.journal.NoticeEntry;
import dev.errand.core.journal.NoticeQuery;
import dev.errand.core.journal.Page;
import dev.errand.core.journal.RememberedReply;
import dev.errand.core.journal.SessionEnd;
import dev.errand.core.journal.SessionRow;
import dev.errand.core.journal.StreamKey;
import dev.errand.core.journal.TaskQuery;
import dev.errand.core.journal.TaskRow;
import dev.errand.core.journal.Tombstone;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskId;
import dev.errand.daemon.store.Cursors;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The journal in memory: one lock around plain collections. A batch is checked completely before it
 * is applied, so a refused batch needs no rollback.
 */
public final class MemoryJournal implements Journal {
  private final String id = UUID.randomUUID().toString();
  private final Cursors cursors = new Cursors(id);
  private final ReentrantLock lock = new ReentrantLock();
  private final Streams streams = new Streams();
  private final View view = new View();
  private final RetainedRecords retained = new RetainedRecords();
  private final MemoryInbox inbox = new MemoryInbox();
  private Fence fence = new Fence("", 0);
  private boolean closed;

  @Override
  public String id() {
    return id;
  }

  @Override
  public Fence takeOver(String owner) {
    return locked(() -> {
      fence = new Fence(owner, fence.epoch() + 1);
      return fence;
    });
  }

  @Override
  public void commit(Batch batch) {
    locked(() -> {
      check(batch);
      batch.appends().forEach(streams::append);
      batch.rows().forEach(view::put);
      batch.artifacts().forEach(retained::link);
      batch.removals().forEach(this::remove);
      batch.replies().forEach(retained::remember);
      batch.sessions().forEach(view::put);
      batch.inbox().forEach(it -> inbox.apply(it, view));
      batch.memos().forEach(inbox::put);
      return true;
    });
  }

  private void check(Batch batch) {
    if (closed) {
      throw new ErrandException(ErrorCode.JOURNAL_FAILED, "the journal is closed");
    }
    if (!batch.fence().equals(fence)) {
      throw new ErrandException(ErrorCode.FENCED, "another daemon has taken over this journal");
    }
    streams.check(batch.appends());
    for (var append : batch.appends()) {
      if (append.stream().kind() == StreamKey.Kind.TASK) {
        retained.checkNotRemoved(append.stream().id());
      }
    }
    batch.rows().forEach(row -> retained.checkNotRemoved(row.id().value()));
    for (var link : batch.artifacts()) {
      if (link.taskId() != null) {
        retained.checkNotRemoved(link.taskId().value());
      }
    }
  }

  private void remove(Tombstone tombstone) {
    streams.remove(StreamKey.of(tombstone.taskId()));
    view.remove(tombstone.taskId());
    retained.bury(tombstone);
    inbox.taskRemoved(tombstone.taskId());
  }

  @Override
  public List<EncodedFrame> read(StreamKey stream, long afterSeq, int limit) {
    return locked(() -> streams.read(stream, afterSeq, limit));
  }

  /** A journal in memory is never damaged. */
  @Override
  public OptionalLong damagedFrom(StreamKey stream) {
    return OptionalLong.empty();
  }

  @Override
  public long lastSeq(StreamKey stream) {
    return locked(() -> streams.lastSeq(stream));
  }

  @Override
  public Page readAll(Cursor after, int limit) {
    return locked(() -> streams.readAll(after, limit, cursors));
  }

  @Override
  public Cursor head() {
    return locked(() -> cursors.at(streams.lastPosition()));
  }

  @Override
  public Optional<TaskRow> row(TaskId taskId) {
    return locked(() -> view.row(taskId));
  }

  @Override
  public List<TaskRow> rows(TaskQuery query) {
    return locked(() -> view.rows(query));
  }

  @Override
  public boolean descends(TaskId taskId, SessionId sessionId) {
    return locked(() -> view.descends(taskId, sessionId));
  }

  @Override
  public List<TaskId> idsWithPrefix(String prefix, int limit) {
    return locked(() -> view.idsWithPrefix(prefix, limit));
  }

  @Override
  public List<TaskRow> readBefore(long beforeMs, int limit) {
    return locked(() -> view.readBefore(beforeMs, limit));
  }

  @Override
  public List<TaskRow> oldestEnded(int limit) {
    return locked(() -> view.oldestEnded(limit));
  }

  @Override
  public long bytesStored() {
    return locked(view::bytesStored);
  }

  @Override
  public List<SessionRow> sessions(@Nullable SessionId after, int limit) {
    return locked(() -> view.sessions(after, limit));
  }

  @Override
  public Optional<SessionRow> session(SessionId sessionId) {
    return locked(() -> view.session(sessionId));
  }

  @Override
  public List<SessionEnd> endedSessions() {
    return locked(view::endedSessions);
  }

  @Override
  public Optional<Tombstone> tombstone(TaskId taskId) {
    return locked(() -> retained.tombstone(taskId));
  }

  @Override
  public Optional<RememberedReply> reply(IdempotencyKey key) {
    return locked(() -> retained.reply(key));
  }

  @Override
  public void forgetReplies(long beforeMs) {
    locked(() -> retained.forgetReplies(beforeMs, view));
  }

  @Override
  public List<ArtifactLink> artifactLinks(String sha256) {
    return locked(() -> retained.links(sha256));
  }

  @Override
  public List<String> forgetUploads(long beforeMs) {
    return locked(() -> retained.forgetUploads(beforeMs));
  }

  @Override
  public List<NoticeEntry> notices(NoticeQuery query) {
    return locked(() -> inbox.notices(query, cursors));
  }

  @Override
  public Cursor lastNotice() {
    return locked(() -> cursors.at(inbox.lastPosition()));
  }

  @Override
  public long unacknowledged(SessionId sessionId) {
    return locked(() -> inbox.unacknowledged(sessionId));
  }

  @Override
  public List<String> unacknowledged(SessionId sessionId, List<String> ids) {
    return locked(() -> inbox.unacknowledged(sessionId, ids));
  }

  @Override
  public List<String> unacknowledged(SessionId sessionId, TaskId taskId) {
    return locked(() -> inbox.unacknowledged(sessionId, taskId));
  }

  @Override
  public List<String> unacknowledged(SessionId sessionId, Cursor upTo) {
    return locked(() -> inbox.unacknowledged(sessionId, upTo, cursors));
  }

  @Override
  public Optional<Memo> memo(SessionId sessionId, String name) {
    return locked(() -> inbox.memo(sessionId, name));
  }

  @Override
  public List<Memo> memos(String name) {
    return locked(() -> inbox.memos(name));
  }

  @Override
  public void close() {
    locked(() -> closed = true);
  }

  private <T> T locked(Supplier<T> work) {
    lock.lock();
    try {
      return work.get();
    } finally {
      lock.unlock();
    }
  }
}
