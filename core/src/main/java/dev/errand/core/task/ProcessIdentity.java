package dev.errand.core.task;

/** Tells one process from every other that ever had its pid: start time and boot settle it. */
public record ProcessIdentity(long pid, long startTicks, String bootId, long tag) {}
