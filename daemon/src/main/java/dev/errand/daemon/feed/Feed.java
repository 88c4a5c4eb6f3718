package dev.errand.daemon.feed;

import dev.errand.core.engine.CommitListener;
import dev.errand.core.engine.Snapshot;
import dev.errand.core.journal.Cursor;
import dev.errand.core.journal.EncodedFrame;
import dev.errand.core.journal.Journal;
import dev.errand.core.journal.Page;
import dev.errand.core.journal.StreamKey;
import dev.errand.core.task.PendingOutput;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskState;
import dev.errand.core.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** The followers of streams, and the end of each followed stream. Thread-safe. */
public final class Feed implements CommitListener {
  private final Journal journal;
  private final Time clock;
  private final ConcurrentHashMap<StreamKey, Topic> topics = new ConcurrentHashMap<>();

  /** Growth of output without frames yet, of any task. */
  private final ConcurrentHashMap<StreamKey, Snapshot> pending = new ConcurrentHashMap<>();

  private final Ticker commits;
  private final AtomicInteger followers = new AtomicInteger();

  public Feed(Journal journal, Time clock) {
    this.journal = journal;
    this.clock = clock;
    this.commits = new Ticker(clock);
  }

  /** Follows a stream, existing or not. */
  public Following follow(StreamKey stream) {
    followers.incrementAndGet();
    var topic =
        topics.compute(
            stream,
            (_, old) -> {
              var used = old == null ? new Topic(clock) : old;
              used.users++;
              return used;
            });
    var following = new Following(stream, topic);
    // Read after the topic is registered, so that no commit is missed.
    following.catchUp();
    return following;
  }

  /** Follows all streams. */
  public FollowingAll followAll() {
    followers.incrementAndGet();
    return new FollowingAll();
  }

  /** The number of commits since the start. */
  public long commits() {
    return commits.count();
  }

  /** The number of followers now. */
  public int followers() {
    return followers.get();
  }

  @Override
  public void advanced(StreamKey stream, List<EncodedFrame> frames) {
    var topic = topics.get(stream);
    if (topic != null) {
      topic.add(frames);
    }
    commits.tick();
  }

  @Override
  public void moved(Snapshot before, Snapshot after) {
    notePending(after);
    if (after.state() instanceof TaskState.Ended) {
      var topic = topics.get(StreamKey.of(after.taskId()));
      if (topic != null) {
        topic.end();
      }
    }
  }

  @Override
  public void stored(Snapshot now) {
    notePending(now);
    var topic = topics.get(StreamKey.of(now.taskId()));
    if (topic != null) {
      topic.grow();
    }
  }

  private void notePending(Snapshot now) {
    var stream = StreamKey.of(now.taskId());
    if (now.pending().isEmpty()) {
      pending.remove(stream);
    } else {
      pending.put(stream, now);
    }
  }

  /** A terminal's log has bytes up to this offset, without frames yet. */
  public void stored(TaskId taskId, long end) {
    var topic = topics.get(StreamKey.of(taskId));
    if (topic != null) {
      topic.stored(end);
    }
  }

  /** One follower of one stream. */
  public final class Following implements AutoCloseable {
    private final StreamKey stream;
    private final Topic topic;
    private boolean closed;

    private Following(StreamKey stream, Topic topic) {
      this.stream = stream;
      this.topic = topic;
    }

    /** Reads the end of the stream from the journal. */
    public void catchUp() {
      topic.reached(journal.lastSeq(stream));
    }

    /** The frames after {@code afterSeq}, at most {@code limit}; empty if there are none yet. */
    public List<EncodedFrame> next(long afterSeq, int limit) {
      if (topic.head() <= afterSeq) {
        return List.of();
      }
      var recent = topic.after(afterSeq, limit);
      return recent.isEmpty() ? journal.read(stream, afterSeq, limit) : recent;
    }

    /** Waits until there is a frame after {@code seq} or the stream has ended; false on timeout. */
    public boolean awaitAfter(long seq, Duration timeout) throws InterruptedException {
      return topic.await(seq, Long.MAX_VALUE, Topic.ANY, timeout);
    }

    /** The same, or until the growth differs from {@link #growth}. */
    public boolean awaitNews(long seq, long growth, Duration timeout) throws InterruptedException {
      return topic.await(seq, Long.MAX_VALUE, growth, timeout);
    }

    /** The same, or until a terminal has bytes after {@code offset}, with or without frames. */
    public boolean awaitBehind(long seq, long offset, long growth, Duration timeout)
        throws InterruptedException {
      return topic.await(seq, offset, growth, timeout);
    }

    /** Changes whenever output is stored without a frame; must be read before the frames. */
    public long growth() {
      return topic.growth();
    }

    /**
     * The output stored after the frame {@code seq}, the last one then. A reader that gets this
     * before the frames misses nothing.
     */
    public PendingOutput pendingAfter(long seq) {
      var known = pending.get(stream);
      return known == null || known.lastSeq() < seq ? PendingOutput.NONE : known.pending();
    }

    /**
     * The readable length of a terminal's log, frames or not. There is no resize between these
     * bytes and the frames at the time of the call.
     */
    public long stored() {
      return topic.stored();
    }

    /** The seq of the stream's last frame; -1 where there is none. */
    public long head() {
      return topic.head();
    }

    /** Whether the task ended while it was followed; then its head never changes. */
    public boolean ended() {
      return topic.ended();
    }

    @Override
    public void close() {
      if (closed) {
        return;
      }
      closed = true;
      followers.decrementAndGet();
      topics.computeIfPresent(stream, (_, it) -> --it.users == 0 ? null : it);
    }
  }

  /** One follower of all streams. */
  public final class FollowingAll implements AutoCloseable {
    private boolean closed;

    private FollowingAll() {}

    /** Must be read before the frames, so that no commit is missed. */
    public long ticks() {
      return commits.count();
    }

    public Page next(Cursor after, int limit) {
      return journal.readAll(after, limit);
    }

    /** Waits for a commit after {@code ticks}; false on timeout. */
    public boolean awaitSince(long ticks, Duration timeout) throws InterruptedException {
      return commits.awaitSince(ticks, timeout);
    }

    @Override
    public void close() {
      if (!closed) {
        closed = true;
        followers.decrementAndGet();
      }
    }
  }
}
