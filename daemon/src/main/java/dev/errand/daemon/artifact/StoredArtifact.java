package dev.errand.daemon.artifact;

/** A stored artifact. */
public record StoredArtifact(String sha256, long bytes) {}
