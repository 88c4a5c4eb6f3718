package dev.errand.cli.command;

import dev.errand.core.task.LogStream;
import dev.errand.wire.client.EventFrame;
import dev.errand.wire.client.OutputSink;

/** Lets through what belongs to frames up to this one, and nothing that comes later. */
final class OutputUntil implements OutputSink {
  private final long lastSeq;
  private final OutputSink behind;
  private boolean over;

  OutputUntil(long lastSeq, OutputSink behind) {
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
  public void output(LogStream stream, long offset, byte[] bytes) {
    if (!over) {
      behind.output(stream, offset, bytes);
    }
  }

  @Override
  public void gap(LogStream stream, long from, long to) {
    if (!over) {
      behind.gap(stream, from, to);
    }
  }
}
