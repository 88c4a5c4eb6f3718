package dev.errand.host.record;

/** What a process and its waited-for children used: user plus system time, largest resident set. */
public record Usage(long cpuMs, long maxRssBytes) {}
