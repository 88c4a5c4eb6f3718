package dev.errand.daemon.attach;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The connection to one client. Each send returns when the kernel has taken the message, and fails
 * if the client is gone or reads nothing for too long; any thread may send.
 */
public interface Link {

  void binary(ByteBuffer message) throws IOException, InterruptedException;

  void text(byte[] message) throws IOException, InterruptedException;

  /** Sends a ping. */
  void ping() throws IOException, InterruptedException;

  /** How long nothing has come from the client. */
  long silentNanos();

  boolean isOpen();

  /** Closes the connection with a WebSocket status code, after everything that was sent before. */
  void close(int status, String reason);
}
