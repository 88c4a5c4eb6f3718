package dev.errand.core.journal;

/** The right to write: a later epoch invalidates all earlier ones. */
public record Fence(String owner, long epoch) {}
