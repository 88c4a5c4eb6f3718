package dev.errand.daemon.feed;

import dev.errand.core.journal.EncodedFrame;
import dev.errand.core.time.Time;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** A followed stream: its end and its newest frames. */
final class Topic {

  /** At the limit the oldest are dropped; followers read those from the journal. */
  private static final int RING_FRAMES_MAX = 256;

  private static final int RING_BYTES_MAX = 1024 * 1024;

  /** The growth value of a wait for frames only. */
  static final long ANY = -1;

  private final Time clock;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition grown = lock.newCondition();
  private final ArrayDeque<EncodedFrame> ring = new ArrayDeque<>();
  private int ringBytes;
  private volatile long head = -1;
  private volatile boolean ended;
  private volatile long stored;
  private final AtomicLong growth = new AtomicLong();

  /** Number of followers; changed only inside the map's update function for this stream. */
  int users;

  Topic(Time clock) {
    this.clock = clock;
  }

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

  long growth() {
    return growth.get();
  }

  /** More output is stored without frames. */
  void grow() {
    lock.lock();
    try {
      growth.incrementAndGet();
      grown.signalAll();
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

  /** The frames after {@code seq}; empty if the ring no longer has them. */
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

  /** Waits for a frame after {@code seq}, bytes after this offset, or a change of growth. */
  boolean await(long seq, long offset, long seen, Duration timeout) throws InterruptedException {
    var nanos = timeout.toNanos();
    lock.lockInterruptibly();
    try {
      while (head <= seq && stored <= offset && (seen == ANY || growth.get() == seen) && !ended) {
        if (nanos <= 0) {
          return false;
        }
        nanos = clock.awaitNanos(lock, grown, nanos);
      }
      return true;
    } finally {
      lock.unlock();
    }
  }
}
