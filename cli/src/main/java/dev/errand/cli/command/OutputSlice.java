package dev.errand.cli.command;

import dev.errand.core.task.LogStream;
import dev.errand.wire.client.EventFrame;
import dev.errand.wire.client.OutputSink;

/** Passes the output after a position, up to a frame. */
final class OutputSlice implements OutputSink {
  private final LogStart start;
  private final long lastSeq;
  private final OutputSink behind;
  private boolean over;

  OutputSlice(LogStart start, long lastSeq, OutputSink behind) {
    this.start = start;
    this.lastSeq = lastSeq;
    this.behind = behind;
  }

  @Override
  public void frame(EventFrame frame) {
    over = over || frame.seq() > lastSeq;
    if (!over) {
      behind.frame(frame);
    }
  }

  @Override
  public long wantedFrom(LogStream stream, long from, long to) {
    if (over) {
      return to;
    }
    var cut = stream == start.stream() ? Math.clamp(start.offset(), from, to) : from;
    return behind.wantedFrom(stream, cut, to);
  }

  @Override
  public void output(LogStream stream, long offset, byte[] bytes) {
    behind.output(stream, offset, bytes);
  }

  @Override
  public void gap(LogStream stream, long from, long to) {
    behind.gap(stream, from, to);
  }
}
