package dev.errand.daemon.verb;

import java.time.Instant;

/** The identity of this daemon. */
public record About(String version, String build, int protocol, Instant startedAt) {}
