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

/** Who follows what, and where each followed stream ends. Many threads may use it. */
public final class Feed implements CommitListener {
  private final Journal journal;
  private final Time clock;
  private final ConcurrentHashMap<StreamKey, Topic> topics = new ConcurrentHashMap<>();

  /** Output whose frames are to come later, of any task, followed or not. */
  private final ConcurrentHashMap<StreamKey, Snapshot> pending = new ConcurrentHashMap<>();

  private final Ticker commits;
  private final AtomicInteger followers = new AtomicInteger();

  public Feed(Journal journal, Time clock) {
    this.journal = journal;
    this.clock = clock;
    this.commits = new Ticker(clock);
  }

  /** Begins to follow a stream, existing or not. */
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
    // Asked only now that commits reach the topic, so none can fall between.
    following.catchUp();
    return following;
  }

  /** Begins to follow all streams. */
  public FollowingAll followAll() {
    followers.incrementAndGet();
    return new FollowingAll();
  }

  /** How many commits were told since the start. */
  public long commits() {
    return commits.count();
  }

  /** How many are following now. */
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

  /** A terminal's log has bytes up to here whose frame is still to come. */
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

    /** Looks up where the stream ends now, whether that was told or not. */
    public void catchUp() {
      topic.reached(journal.lastSeq(stream));
    }

    /** The frames behind {@code afterSeq}, at most {@code limit}; empty when there are none yet. */
    public List<EncodedFrame> next(long afterSeq, int limit) {
      if (topic.head() <= afterSeq) {
        return List.of();
      }
      var recent = topic.after(afterSeq, limit);
      return recent.isEmpty() ? journal.read(stream, afterSeq, limit) : recent;
    }

    /**
     * Waits until there is a frame behind {@code seq} or the stream has ended; false when the time
     * has passed before.
     */
    public boolean awaitAfter(long seq, Duration timeout) throws InterruptedException {
      return topic.await(seq, Long.MAX_VALUE, Topic.ANY, timeout);
    }

    /** The same, or other growth than was {@link #growth seen}. */
    public boolean awaitNews(long seq, long growth, Duration timeout) throws InterruptedException {
      return topic.await(seq, Long.MAX_VALUE, growth, timeout);
    }

    /** The same, or bytes of a terminal behind {@code offset}, whose frame may still be to come. */
    public boolean awaitBehind(long seq, long offset, long growth, Duration timeout)
        throws InterruptedException {
      return topic.await(seq, offset, growth, timeout);
    }

    /** Changes whenever output is stored whose frame comes later; to be asked before a look. */
    public long growth() {
      return topic.growth();
    }

    /**
     * What is stored behind the frame {@code seq}, which was the last one then. Whoever asked for
     * it before the frames has seen all that is before it.
     */
    public PendingOutput pendingAfter(long seq) {
      var known = pending.get(stream);
      return known == null || known.lastSeq() < seq ? PendingOutput.NONE : known.pending();
    }

    /**
     * Up to where a terminal's log can be read now, as far as that is known before its frames. No
     * change of size lies between these bytes and the frames of the moment when this was asked.
     */
    public long stored() {
      return topic.stored();
    }

    /** The seq of the stream's last frame; -1 where there is none. */
    public long head() {
      return topic.head();
    }

    /** Whether the task ended while it was followed; then its head is its last frame for ever. */
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

  /** One follower of everything. */
  public final class FollowingAll implements AutoCloseable {
    private boolean closed;

    private FollowingAll() {}

    /** Taken before reading, so that what is committed meanwhile is noticed. */
    public long ticks() {
      return commits.count();
    }

    public Page next(Cursor after, int limit) {
      return journal.readAll(after, limit);
    }

    /** Waits until something was committed since {@code ticks}; false when the time has passed. */
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
