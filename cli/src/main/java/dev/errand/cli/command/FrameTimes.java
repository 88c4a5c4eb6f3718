package dev.errand.cli.command;

import dev.errand.wire.client.EventFrame;

/** When what a frame tells of happened. */
final class FrameTimes {

  private FrameTimes() {}

  /** The host's own time where the frame has one: it may have been recorded much later. */
  static long of(EventFrame frame) {
    var written = frame.fields().number("written_at_ms", 0);
    if (written > 0) {
      return written;
    }
    var started = frame.fields().number("started_at_ms", 0);
    return started > 0 && !frame.isTerminal() ? started : frame.timestampMs();
  }
}
