package dev.errand.host.linux;

import org.jspecify.annotations.Nullable;

/**
 * How a process ended and what it had used, its own waited-for children included.
 *
 * @param code the exit code, or 128 plus the signal's number
 * @param signal the name of the signal that ended it
 */
public record ExitStatus(int code, @Nullable String signal, long cpuMs, long maxRssBytes) {}
