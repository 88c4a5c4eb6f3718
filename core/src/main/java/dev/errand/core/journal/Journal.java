package dev.errand.core.journal;

import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskId;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The store of all frames. Many threads may use it at once.
 *
 * <p>A batch is durable when {@link #commit} returns, at the level the journal was opened with.
 * Frames of one stream are read in the order of their seq without gaps. No new frame ever appears
 * at or before a cursor that {@link #readAll} returned.
 *
 * <p>Failures are {@code ErrandException}s: {@code FENCED} for an old fence, {@code
 * INSUFFICIENT_STORAGE} for a full disk, where the batch changed nothing and may be tried again,
 * and {@code JOURNAL_FAILED} for all else, after which every further commit fails too. An append
 * after the wrong seq, or a write to a removed task, is an {@code IllegalStateException}, and the
 * batch changes nothing.
 */
public interface Journal extends Inboxes, AutoCloseable {

  /** Created with the journal and never changed. Hosts started for another journal are not used. */
  String id();

  /** Begins a new epoch: commits under any earlier fence are refused from now on. */
  Fence takeOver(String owner);

  /** Commits the batch, completely or not at all; returns when it is durable. */
  void commit(Batch batch);

  /** Frames of one stream after {@code afterSeq}, at most {@code limit}. */
  List<EncodedFrame> read(StreamKey stream, long afterSeq, int limit);

  /**
   * The seq of the first frame of the stream that was found damaged or missing. Reads return a
   * frame marked as damaged in its place, so seqs have no gaps.
   */
  OptionalLong damagedFrom(StreamKey stream);

  /** The seq of the stream's last frame; -1 where there is none. */
  long lastSeq(StreamKey stream);

  /** Frames of all streams after the cursor; fails with INVALID_REQUEST for a foreign cursor. */
  Page readAll(Cursor after, int limit);

  /** The position after the last frame. */
  Cursor head();

  Optional<TaskRow> row(TaskId taskId);

  /** The view rows that match the query, newest task first. */
  List<TaskRow> rows(TaskQuery query);

  /**
   * Whether a task of this session started that task of another session, directly or indirectly;
   * also true after either was removed.
   */
  boolean descends(TaskId taskId, SessionId sessionId);

  /** Ids that begin with the given text, newest first, at most {@code limit}. */
  List<TaskId> idsWithPrefix(String prefix, int limit);

  /** Rows of ended tasks that were read before the given time, oldest end first. */
  List<TaskRow> readBefore(long beforeMs, int limit);

  /** Rows of ended tasks, oldest end first, for when the disk budget is passed. */
  List<TaskRow> oldestEnded(int limit);

  /** The bytes that all ended tasks keep. */
  long bytesStored();

  /**
   * Sessions that have tasks or were ended, by name, after {@code after} (null: from the first).
   */
  List<SessionRow> sessions(@Nullable SessionId after, int limit);

  /** Empty for a session that has no task and was not ended. */
  Optional<SessionRow> session(SessionId sessionId);

  /** The sessions that are ended now. */
  List<SessionEnd> endedSessions();

  Optional<Tombstone> tombstone(TaskId taskId);

  Optional<RememberedReply> reply(IdempotencyKey key);

  /** Forgets replies given before that time whose task, if any, is gone. */
  void forgetReplies(long beforeMs);

  /** Everything that keeps this artifact. */
  List<ArtifactLink> artifactLinks(String sha256);

  /** Uploaded artifacts older than that time which no task keeps: forgotten and returned. */
  List<String> forgetUploads(long beforeMs);

  @Override
  void close();
}
