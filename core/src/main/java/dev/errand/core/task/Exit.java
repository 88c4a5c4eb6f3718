package dev.errand.core.task;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a process ended: its code (128 + number for a death by signal), why it was killed if the host
 * killed it, and what remained of its process tree.
 */
public record Exit(
    int code,
    @Nullable String signal,
    @Nullable String killedFor,
    @Nullable String step,
    Leftovers leftovers,
    Usage usage) {

  /** The same, without why the host killed it. */
  Exit withoutKillReason() {
    return new Exit(code, signal, null, step, leftovers, usage);
  }

  /**
   * Descendants that were still there when the task's own process had ended.
   *
   * @param outcome none, killed, kept, or unknown where the host could not look for them
   * @param processes what is known of those named by {@code killed} and {@code survivors}; of many
   *     only the first, and none from older hosts
   */
  public record Leftovers(
      boolean pipeHeld,
      String outcome,
      List<Long> killed,
      List<Long> survivors,
      List<Leftover> processes) {
    private static final String KEPT = "kept";

    public static final Leftovers NONE = new Leftovers(false, "none", List.of(), List.of());

    public Leftovers {
      killed = List.copyOf(killed);
      survivors = List.copyOf(survivors);
      processes = List.copyOf(processes);
    }

    public Leftovers(boolean pipeHeld, String outcome, List<Long> killed, List<Long> survivors) {
      this(pipeHeld, outcome, killed, survivors, List.of());
    }

    /** Whether they were allowed to live on. */
    public boolean isKept() {
      return outcome.equals(KEPT);
    }
  }

  /**
   * One such descendant.
   *
   * @param startTicks when it started; with its pid it names the process in one boot
   * @param command its program and arguments without secrets, bounded
   */
  public record Leftover(long pid, long startTicks, String command) {}

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
