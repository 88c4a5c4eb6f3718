package dev.errand.host.process;

import dev.errand.host.linux.KernelException;
import dev.errand.host.linux.ResourceLimit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts the descriptors that children hold, so that a spawn is refused with a clear error before
 * the kernel fails one of its steps. Some descriptors are reserved for logs, the socket and the
 * JVM.
 */
public final class DescriptorBudget {
  private static final long UNLIMITED_MEANS = 1 << 20;
  private static final long RESERVE_MIN = 64;
  private static final int RESERVE_PART = 4;

  private final ResourceLimit.Values original;
  private final long limit;
  private final long childrenMax;
  private final AtomicLong held = new AtomicLong();

  private DescriptorBudget(ResourceLimit.Values original, long limit) {
    this.original = original;
    this.limit = limit;
    this.childrenMax = limit - Math.max(RESERVE_MIN, limit / RESERVE_PART);
  }

  /** Raises our own limit to the maximum; children get the original limit. */
  public static DescriptorBudget raise() throws KernelException {
    var original = ResourceLimit.OPEN_FILES.get();
    ResourceLimit.OPEN_FILES.set(new ResourceLimit.Values(original.hard(), original.hard()));
    var hard = original.hard();
    return new DescriptorBudget(original, hard < 0 ? UNLIMITED_MEANS : hard);
  }

  /** For tests at the limit. */
  static DescriptorBudget of(ResourceLimit.Values original, long limit) {
    return new DescriptorBudget(original, limit);
  }

  public long limit() {
    return limit;
  }

  /** How many logs may stay open between writes: half of what the children leave. */
  long logsMax() {
    return (limit - childrenMax) / 2;
  }

  ResourceLimit.Values original() {
    return original;
  }

  boolean wasRaised() {
    return original.soft() != original.hard();
  }

  boolean reserve(int count) {
    if (held.addAndGet(count) <= childrenMax) {
      return true;
    }
    held.addAndGet(-count);
    return false;
  }

  void release(int count) {
    held.addAndGet(-count);
  }
}
