package dev.errand.core.task;

import org.jspecify.annotations.Nullable;

/**
 * How much of the machine a task may take; an absent number is no limit.
 *
 * @param memoryBytes memory in use at one time
 * @param processes processes and threads alive at one time
 * @param cpuSecs processor time
 * @param openFiles descriptors that a process may hold
 * @param fileSizeBytes the size of a file that a process may write
 */
public record ResourceLimits(
    @Nullable Long memoryBytes,
    @Nullable Long processes,
    @Nullable Long cpuSecs,
    @Nullable Long openFiles,
    @Nullable Long fileSizeBytes) {

  public static final ResourceLimits NONE = new ResourceLimits(null, null, null, null, null);

  public ResourceLimits {
    positive("memory", memoryBytes);
    positive("processes", processes);
    positive("processor time", cpuSecs);
    positive("open files", openFiles);
    positive("file size", fileSizeBytes);
  }

  private static void positive(String name, @Nullable Long value) {
    if (value != null && value < 1) {
      throw new IllegalArgumentException("a limit of " + name + " is at least 1, not " + value);
    }
  }

  public boolean isNone() {
    return equals(NONE);
  }

  /** These limits, and where they say nothing the others. */
  public ResourceLimits or(ResourceLimits others) {
    return new ResourceLimits(
        or(memoryBytes, others.memoryBytes),
        or(processes, others.processes),
        or(cpuSecs, others.cpuSecs),
        or(openFiles, others.openFiles),
        or(fileSizeBytes, others.fileSizeBytes));
  }

  private static @Nullable Long or(@Nullable Long own, @Nullable Long other) {
    return own == null ? other : own;
  }
}
