package dev.errand.daemon.surface.http;

import java.time.Instant;

/** Which daemon this is. */
public record About(String version, String build, int protocol, Instant startedAt) {}
