package dev.errand.daemon.verb;

/**
 * A notice as it is delivered.
 *
 * @param cursor after which the next notice is read
 * @param json the notice as a JSON object
 */
@SuppressWarnings("ArrayRecordComponent") // Passed on to a door, never compared.
public record EncodedNotice(String cursor, byte[] json) {}
