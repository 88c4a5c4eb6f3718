package dev.errand.core.journal;

/** Who may write: a later epoch shuts out all earlier ones. */
public record Fence(String owner, long epoch) {}
