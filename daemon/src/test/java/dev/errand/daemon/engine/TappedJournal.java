package dev.errand.daemon.engine;

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
import dev.errand.wire.json.JsonFrameCodec;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A journal that shows each batch to the test before it is committed, who may throw, and whose
 * frames and rows can be damaged.
 */
public final class TappedJournal implements Journal {
  private static final SortedSet<Long> NONE = new TreeSet<>();

  private final Journal journal;
  private final List<Batch> committed = new CopyOnWriteArrayList<>();
  private final AtomicInteger reads = new AtomicInteger();
  private final Map<StreamKey, SortedSet<Long>> damaged = new ConcurrentHashMap<>();
  private final Set<TaskId> damagedRows = ConcurrentHashMap.newKeySet();
  private final Set<TaskId> unreadable = ConcurrentHashMap.newKeySet();
  private volatile Consumer<Batch> beforeCommit = _ -> {};

  TappedJournal(Journal journal) {
    this.journal = journal;
  }

  public void beforeCommit(Consumer<Batch> look) {
    beforeCommit = look;
  }

  /** The batches that went through, in no promised order where threads commit at once. */
  List<Batch> committed() {
    return committed;
  }

  /** How often a stream was read. */
  int reads() {
    return reads.get();
  }

  @Override
  public void commit(Batch batch) {
    beforeCommit.accept(batch);
    journal.commit(batch);
    batch.rows().forEach(it -> damagedRows.remove(it.id()));
    committed.add(batch);
  }

  @Override
  public List<EncodedFrame> read(StreamKey stream, long afterSeq, int limit) {
    reads.incrementAndGet();
    return journal.read(stream, afterSeq, limit).stream().map(it -> kept(stream, it)).toList();
  }

  /** From now on these frames of the task cannot be read any more. */
  void damage(TaskId taskId, Long... seqs) {
    damaged.put(StreamKey.of(taskId), new TreeSet<>(List.of(seqs)));
  }

  /** Until it is written anew nothing but whose it is can be believed of the task's row. */
  public void damageRow(TaskId taskId) {
    damagedRows.add(taskId);
  }

  /** From now on the task lies on a page that makes no sense. */
  public void makeUnreadable(TaskId taskId) {
    unreadable.add(taskId);
  }

  public void makeReadable(TaskId taskId) {
    unreadable.remove(taskId);
  }

  private TaskRow kept(TaskRow row) {
    if (unreadable.contains(row.id())) {
      throw new ErrandException(ErrorCode.RECORD_DAMAGED, "a page makes no sense");
    }
    return damagedRows.contains(row.id()) ? row.damaged() : row;
  }

  private EncodedFrame kept(StreamKey stream, EncodedFrame frame) {
    return damaged.getOrDefault(stream, NONE).contains(frame.seq())
        ? JsonFrameCodec.damaged(stream, EngineFixture.SESSION, frame.seq())
        : frame;
  }

  @Override
  public OptionalLong damagedFrom(StreamKey stream) {
    return damaged.getOrDefault(stream, NONE).stream().mapToLong(it -> it).findFirst();
  }

  @Override
  public String id() {
    return journal.id();
  }

  @Override
  public Fence takeOver(String owner) {
    return journal.takeOver(owner);
  }

  @Override
  public long lastSeq(StreamKey stream) {
    return journal.lastSeq(stream);
  }

  @Override
  public Page readAll(Cursor after, int limit) {
    return journal.readAll(after, limit);
  }

  @Override
  public Cursor head() {
    return journal.head();
  }

  @Override
  public Optional<TaskRow> row(TaskId taskId) {
    return journal.row(taskId).map(this::kept);
  }

  @Override
  public List<TaskRow> rows(TaskQuery query) {
    return journal.rows(query).stream().map(this::kept).toList();
  }

  @Override
  public boolean descends(TaskId taskId, SessionId sessionId) {
    return journal.descends(taskId, sessionId);
  }

  @Override
  public List<TaskId> idsWithPrefix(String prefix, int limit) {
    return journal.idsWithPrefix(prefix, limit);
  }

  @Override
  public List<TaskRow> readBefore(long beforeMs, int limit) {
    return journal.readBefore(beforeMs, limit);
  }

  @Override
  public List<TaskRow> oldestEnded(int limit) {
    return journal.oldestEnded(limit);
  }

  @Override
  public long bytesStored() {
    return journal.bytesStored();
  }

  @Override
  public List<SessionRow> sessions(@Nullable SessionId after, int limit) {
    return journal.sessions(after, limit);
  }

  @Override
  public Optional<SessionRow> session(SessionId sessionId) {
    return journal.session(sessionId);
  }

  @Override
  public List<SessionEnd> endedSessions() {
    return journal.endedSessions();
  }

  @Override
  public Optional<Tombstone> tombstone(TaskId taskId) {
    return journal.tombstone(taskId);
  }

  @Override
  public Optional<RememberedReply> reply(IdempotencyKey key) {
    return journal.reply(key);
  }

  @Override
  public void forgetReplies(long beforeMs) {
    journal.forgetReplies(beforeMs);
  }

  @Override
  public List<ArtifactLink> artifactLinks(String sha256) {
    return journal.artifactLinks(sha256);
  }

  @Override
  public List<String> forgetUploads(long beforeMs) {
    return journal.forgetUploads(beforeMs);
  }

  @Override
  public List<NoticeEntry> notices(NoticeQuery query) {
    return journal.notices(query);
  }

  @Override
  public Cursor lastNotice() {
    return journal.lastNotice();
  }

  @Override
  public long unacknowledged(SessionId sessionId) {
    return journal.unacknowledged(sessionId);
  }

  @Override
  public List<String> unacknowledged(SessionId sessionId, List<String> ids) {
    return journal.unacknowledged(sessionId, ids);
  }

  @Override
  public List<String> unacknowledged(SessionId sessionId, TaskId taskId) {
    return journal.unacknowledged(sessionId, taskId);
  }

  @Override
  public List<String> unacknowledged(SessionId sessionId, Cursor upTo) {
    return journal.unacknowledged(sessionId, upTo);
  }

  @Override
  public Optional<Memo> memo(SessionId sessionId, String name) {
    return journal.memo(sessionId, name);
  }

  @Override
  public List<Memo> memos(String name) {
    return journal.memos(name);
  }

  @Override
  public void close() {
    journal.close();
  }
}
