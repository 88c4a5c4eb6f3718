package dev.errand.daemon.condition;

import dev.errand.core.task.LogStream;
import java.time.Duration;

/**
 * How a condition came to hold. {@code seq} is the frame that made it true or, where no frame did,
 * the last one that there was.
 */
public sealed interface Held {
  long seq();

  record Exit(long seq) implements Held {}

  /** The match by its bytes in the log, and what stands around it. */
  record Text(long seq, LogStream stream, long offset, long end, String snippet) implements Held {}

  /** The row in which the match begins, counted from 0, of the screen that was seen. */
  record Screen(long seq, long offset, int row, String snippet) implements Held {}

  record Idle(long seq, Duration quiet) implements Held {}

  record Port(long seq, int number, String address, long pid) implements Held {}

  /** Who waits for input, how sure that is, and the text before the cursor. */
  record Prompt(long seq, String confidence, long pid, String snippet) implements Held {}

  record Ready(long seq, long atMs) implements Held {}

  record Http(long seq, String url) implements Held {}

  record File(long seq, String path) implements Held {}
}
