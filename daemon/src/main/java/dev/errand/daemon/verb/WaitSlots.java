package dev.errand.daemon.verb;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;

/**
 * The slots of callers who wait: subscribers, long polls and attached clients. A caller other than
 * the owner has at most half of them, so that it cannot exclude the owner. At a limit a caller is
 * refused; when the daemon stops, an interrupt wakes all waiting callers and their requests end.
 */
public final class WaitSlots implements AutoCloseable {
  private final int max;
  private final int perCallerMax;
  private final Semaphore free;
  private final Set<Thread> waiting = ConcurrentHashMap.newKeySet();

  /** Of callers other than the owner; a caller without a slot has no entry. */
  private final Map<String, Integer> taken = new ConcurrentHashMap<>();

  private volatile boolean closed;

  public WaitSlots(int max) {
    this.max = max;
    this.perCallerMax = Math.max(1, max / 2);
    this.free = new Semaphore(max);
  }

  /** Takes a slot for the calling thread, until it is closed. */
  public Slot take(Caller caller) {
    var counted = caller.isOwner() ? null : caller.principal();
    if (counted != null && taken.merge(counted, 1, Integer::sum) > perCallerMax) {
      leave(counted);
      throw full(
          "the limit of "
              + perCallerMax
              + " requests of one caller that follow or wait is reached");
    }
    if (!free.tryAcquire()) {
      if (counted != null) {
        leave(counted);
      }
      throw full("the limit of " + max + " requests that follow or wait is reached");
    }
    var thread = Thread.currentThread();
    waiting.add(thread);
    if (closed) {
      thread.interrupt();
    }
    return () -> {
      if (waiting.remove(thread)) {
        free.release();
        if (counted != null) {
          leave(counted);
        }
      }
    };
  }

  private void leave(String principal) {
    taken.computeIfPresent(principal, (_, count) -> count == 1 ? null : count - 1);
  }

  private static ErrandException full(String detail) {
    return new ErrandException(ErrorCode.LIMIT_EXCEEDED, detail + "; try again later");
  }

  /** How many are taken. */
  public int taken() {
    return waiting.size();
  }

  @Override
  public void close() {
    closed = true;
    waiting.forEach(Thread::interrupt);
  }

  /** The slot of one waiting caller. */
  public interface Slot extends AutoCloseable {
    @Override
    void close();
  }
}
