package dev.errand.cli.command;

import dev.errand.core.error.ErrandException;
import dev.errand.core.task.TaskId;
import dev.errand.wire.client.ErrandClient;
import dev.errand.wire.client.NoDaemonException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.concurrent.CancellationException;
import java.util.concurrent.locks.LockSupport;

/**
 * Forwards the standard input of this program to a task, in small pieces and in order, and then its
 * end. It waits for a task that has not started or does not read; forwarding ends if the task
 * closes its input.
 */
final class StdinForwarder {
  /** The size of one request; also the limit of input lost when the task ends. */
  private static final int PIECE_BYTES_MAX = 8 * 1024;

  private static final long RETRY_NANOS = 100_000_000;

  private final ErrandClient client;
  private final TaskId taskId;
  private final InputStream in;

  StdinForwarder(ErrandClient client, TaskId taskId, InputStream in) {
    this.client = client;
    this.taskId = taskId;
    this.in = in;
  }

  /** On its own thread, because a read of a terminal cannot be interrupted. */
  void start(boolean eofAtEnd) {
    Thread.ofPlatform().daemon().name("stdin").start(() -> forwardQuietly(eofAtEnd));
  }

  private void forwardQuietly(boolean eofAtEnd) {
    try {
      forward(eofAtEnd);
    } catch (NoDaemonException | CancellationException e) {
      // The follower of the task sees the same failure and reports it.
      return;
    }
  }

  /** Returns when all was sent; false if the task closed its input before. */
  boolean forward(boolean eofAtEnd) {
    var piece = new byte[PIECE_BYTES_MAX];
    while (true) {
      var count = read(piece);
      if (count < 0) {
        return !eofAtEnd || send(new byte[0], true);
      }
      if (!send(Arrays.copyOf(piece, count), false)) {
        return false;
      }
    }
  }

  private int read(byte[] piece) {
    try {
      return in.read(piece);
    } catch (IOException e) {
      return -1;
    }
  }

  /** False when the task takes no more. */
  private boolean send(byte[] bytes, boolean eof) {
    var rest = bytes;
    while (true) {
      try {
        client.stdin(taskId, rest, eof);
        return true;
      } catch (ErrandException e) {
        if (!e.code().retryable()) {
          return false;
        }
        var taken = Math.toIntExact(e.facts().getOrDefault("bytes_written", 0L));
        rest = Arrays.copyOfRange(rest, Math.min(taken, rest.length), rest.length);
        LockSupport.parkNanos(RETRY_NANOS);
      }
    }
  }
}
