package dev.errand.core.journal;

/** Names one request of one caller, however often it is sent. */
public record IdempotencyKey(String principal, String method, String path, String key) {}
