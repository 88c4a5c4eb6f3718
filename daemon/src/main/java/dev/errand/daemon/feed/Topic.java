package dev.errand.daemon.feed;

import dev.errand.core.journal.EncodedFrame;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** A followed stream: where it ends, and its newest frames. */
final class Topic {

  /** At the limit the oldest leave; whoever wants them reads the journal. */
  private static final int RING_FRAMES_MAX = 256;

  private static final int RING_BYTES_MAX = 1024 * 1024;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition grown = lock.newCondition();
  private final ArrayDeque<EncodedFrame> ring = new ArrayDeque<>();
  private int ringBytes;
  private volatile long head = -1;
  private volatile boolean ended;
  private volatile long stored;

  /** Followers; changed only inside the map's own update of this stream. */
  int users;

  long head() {
    return head;
  }

  boolean ended() {
    return ended;
  }

  void end() {
    lock.lock();
    try {
      ended = true;
      grown.signalAll();
    } finally {
      lock.unlock();
    }
  }

  long stored() {
    return stored;
  }

  void stored(long end) {
    lock.lock();
    try {
      if (end > stored) {
        stored = end;
        grown.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  void reached(long seq) {
    lock.lock();
    try {
      if (seq > head) {
        head = seq;
        grown.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  void add(List<EncodedFrame> frames) {
    lock.lock();
    try {
      for (var frame : frames) {
        ring.addLast(frame);
        ringBytes += frame.bytes().length;
        head = Math.max(head, frame.seq());
      }
      while (ring.size() > RING_FRAMES_MAX || ringBytes > RING_BYTES_MAX) {
        ringBytes -= ring.removeFirst().bytes().length;
      }
      grown.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** The frames behind {@code seq}; empty where the ring no longer reaches back so far. */
  List<EncodedFrame> after(long seq, int limit) {
    lock.lock();
    try {
      if (ring.isEmpty() || ring.getFirst().seq() > seq + 1) {
        return List.of();
      }
      var found = new ArrayList<EncodedFrame>();
      for (var frame : ring) {
        if (frame.seq() > seq && found.size() < limit) {
          found.add(frame);
        }
      }
      return found;
    } finally {
      lock.unlock();
    }
  }

  boolean awaitAfter(long seq, Duration timeout) throws InterruptedException {
    return awaitBehind(seq, Long.MAX_VALUE, timeout);
  }

  /** The same, or bytes behind this offset. */
  boolean awaitBehind(long seq, long offset, Duration timeout) throws InterruptedException {
    var nanos = timeout.toNanos();
    lock.lockInterruptibly();
    try {
      while (head <= seq && stored <= offset && !ended) {
        if (nanos <= 0) {
          return false;
        }
        nanos = grown.awaitNanos(nanos);
      }
      return true;
    } finally {
      lock.unlock();
    }
  }
}
