package dev.errand.core.task;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a process ended: its code (128 + number for a death by signal), why it was killed if the host
 * killed it, and what was left of its tree.
 */
public record Exit(
    int code,
    @Nullable String signal,
    @Nullable String killedFor,
    @Nullable String step,
    Leftovers leftovers,
    Usage usage) {

  /** Descendants that were still there when the task's own process had ended. */
  public record Leftovers(
      boolean pipeHeld, String outcome, List<Long> killed, List<Long> survivors) {
    public static final Leftovers NONE = new Leftovers(false, "none", List.of(), List.of());

    public Leftovers {
      killed = List.copyOf(killed);
      survivors = List.copyOf(survivors);
    }
  }

  /**
   * What the process and its waited-for descendants took; 0 where the kernel did not say.
   *
   * @param maxRssBytes the largest resident memory that was seen of one of its processes
   * @param ioReadBytes bytes that storage had to deliver; what lay in a cache does not count
   * @param ioWriteBytes bytes that were written for storage
   */
  public record Usage(
      long cpuUserMs, long cpuSystemMs, long maxRssBytes, long ioReadBytes, long ioWriteBytes) {
    public static final Usage UNKNOWN = new Usage(0, 0, 0, 0, 0);

    public long cpuMs() {
      return cpuUserMs + cpuSystemMs;
    }
  }
}
