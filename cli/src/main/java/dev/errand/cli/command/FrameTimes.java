package dev.errand.cli.command;

import dev.errand.wire.client.EventFrame;

/** The time of the event in a frame. */
final class FrameTimes {

  private FrameTimes() {}

  /** The time of the host if the frame has one, since the frame may be recorded much later. */
  static long of(EventFrame frame) {
    var written = frame.fields().number("written_at_ms", 0);
    if (written > 0) {
      return written;
    }
    var started = frame.fields().number("started_at_ms", 0);
    return started > 0 && !frame.isTerminal() ? started : frame.timestampMs();
  }
}
