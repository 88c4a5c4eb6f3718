package dev.errand.cli.command;

import dev.errand.core.task.LogStream;
import dev.errand.wire.client.OutputSink;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Leaves out the first lines or bytes of what it is given, and counts what it left out. */
final class OutputSkip implements OutputSink {

  /** What is counted. */
  enum Unit {
    LINES,
    BYTES
  }

  private final Unit unit;
  private final @Nullable LogStream only;
  private final OutputSink behind;
  private long left;
  private long passed;
  private boolean inLine;

  OutputSkip(Unit unit, long count, @Nullable LogStream only, OutputSink behind) {
    this.unit = unit;
    this.left = count;
    this.only = only;
    this.behind = behind;
  }

  /** How many were left out; a line without an end counts too. */
  long seen() {
    return passed + (inLine ? 1 : 0);
  }

  @Override
  public void output(LogStream stream, long offset, byte[] bytes) {
    if (only != null && only != stream) {
      return;
    }
    var from = unit == Unit.BYTES ? skipBytes(bytes) : skipLines(bytes);
    if (from < bytes.length) {
      var rest = from == 0 ? bytes : Arrays.copyOfRange(bytes, from, bytes.length);
      behind.output(stream, offset + from, rest);
    }
  }

  private int skipBytes(byte[] bytes) {
    var count = (int) Math.min(left, bytes.length);
    left -= count;
    passed += count;
    return count;
  }

  private int skipLines(byte[] bytes) {
    var at = 0;
    while (left > 0 && at < bytes.length) {
      inLine = bytes[at++] != '\n';
      if (!inLine) {
        left--;
        passed++;
      }
    }
    return at;
  }

  @Override
  public void gap(LogStream stream, long from, long to) {
    if (left == 0) {
      behind.gap(stream, from, to);
    }
  }
}
