package dev.errand.daemon.verb;

import java.time.Instant;

/** Which daemon this is. */
public record About(String version, String build, int protocol, Instant startedAt) {}
