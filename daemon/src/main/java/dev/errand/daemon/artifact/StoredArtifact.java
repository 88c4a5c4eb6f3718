package dev.errand.daemon.artifact;

/** Names what was put into the store. */
public record StoredArtifact(String sha256, long bytes) {}
