package dev.errand.daemon.attach;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The way to one client. Each send returns when the kernel has taken the message, and fails where
 * the client is gone or takes nothing for too long; any thread may send.
 */
public interface Link {

  void binary(ByteBuffer message) throws IOException, InterruptedException;

  void text(byte[] message) throws IOException, InterruptedException;

  /** Asks the client for a sign of life. */
  void ping() throws IOException, InterruptedException;

  /** How long nothing at all has come from the client. */
  long silentNanos();

  boolean isOpen();

  /** Says goodbye with a WebSocket status code; what was sent before arrives before it. */
  void close(int status, String reason);
}
