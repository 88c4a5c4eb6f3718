package dev.errand.host.record;

/**
 * What a process and its waited-for children used: processor time, the largest resident set that
 * was seen of one of them, and bytes read from and written for storage.
 */
public record Usage(
    long cpuUserMs, long cpuSystemMs, long maxRssBytes, long ioReadBytes, long ioWriteBytes) {
  public long cpuMs() {
    return cpuUserMs + cpuSystemMs;
  }
}
