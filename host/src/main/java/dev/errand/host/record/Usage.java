package dev.errand.host.record;

/**
 * What a process and the children that it waited for used: processor time, the largest resident set
 * that was seen of one of them, and bytes read from and written to storage.
 */
public record Usage(
    long cpuUserMs, long cpuSystemMs, long maxRssBytes, long ioReadBytes, long ioWriteBytes) {
  public long cpuMs() {
    return cpuUserMs + cpuSystemMs;
  }
}
