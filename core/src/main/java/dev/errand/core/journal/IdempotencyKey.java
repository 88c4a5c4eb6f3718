package dev.errand.core.journal;

/**
 * Names one request of one caller, however often it is sent.
 *
 * @param scope within which the key is unique, as the door says through which the request came
 */
public record IdempotencyKey(String principal, String scope, String key) {}
