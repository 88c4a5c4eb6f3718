package dev.errand.core.journal;

/**
 * Identifies one request of one caller, however often it is sent.
 *
 * @param scope where the key is unique; set by the surface that received the request
 */
public record IdempotencyKey(String principal, String scope, String key) {}
