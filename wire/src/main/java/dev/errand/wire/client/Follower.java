package dev.errand.wire.client;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.task.LogStream;
import dev.errand.wire.json.JsonFields;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Passes on a task's exact output in the order of its frames: from the frame if its preview is
 * complete, from the log otherwise.
 */
final class Follower {
  /** More than most frames cover, so that a long history takes few requests. */
  private static final int READ_BYTES = 1024 * 1024;

  private final Source source;
  private final OutputSink sink;
  private final Map<LogStream, OutputPart> ahead = new EnumMap<>(LogStream.class);

  /** The end of the bytes that were passed on or skipped. */
  private final Map<LogStream, Long> reached = new EnumMap<>(LogStream.class);

  Follower(Source source, OutputSink sink) {
    this.source = source;
    this.sink = sink;
  }

  /** The source of exact bytes. */
  interface Source {
    OutputPart read(LogStream stream, long offset, int bytesMax);
  }

  /** Passes on all frames and their output; returns the terminal frame if it was among them. */
  @Nullable EventFrame follow(EventStream events) {
    events.onStored(this::stored);
    EventFrame terminal = null;
    for (var frame = events.next(); frame != null; frame = events.next()) {
      sink.frame(frame);
      var range = OutputRange.of(frame);
      if (range != null) {
        output(range);
      }
      terminal = frame.isTerminal() ? frame : null;
    }
    return terminal;
  }

  /** Passes on output that is stored without frames yet. */
  private void stored(JsonFields ranges) {
    for (var stream : LogStream.values()) {
      if (ranges.has(stream.word())) {
        var range = ranges.object(stream.word());
        var to = range.number("to");
        var from = wanted(stream, range.number("from"), to);
        if (from < to) {
          range(stream, from, to);
        }
      }
    }
  }

  /** The start of the wanted bytes that were not passed on yet. */
  private long wanted(LogStream stream, long from, long to) {
    var next = Math.max(from, reached.getOrDefault(stream, from));
    reached.merge(stream, to, Math::max);
    return next >= to ? to : sink.wantedFrom(stream, next, to);
  }

  private void output(OutputRange it) {
    var from = wanted(it.stream(), it.offset(), it.end());
    if (from >= it.end()) {
      return;
    }
    var exact = it.exact();
    if (exact != null) {
      var skipped = (int) (from - it.offset());
      sink.output(it.stream(), from, Arrays.copyOfRange(exact, skipped, exact.length));
    } else {
      range(it.stream(), from, it.end());
    }
  }

  /** Passes on the bytes of a range of a log. */
  void range(LogStream stream, long from, long to) {
    var at = from;
    while (at < to) {
      OutputPart part;
      try {
        part = part(stream, at);
      } catch (ErrandException e) {
        at = behindGap(e, stream, at, to);
        continue;
      }
      if (part.bytes().length == 0) {
        // A crash of the machine lost the end of the log; a later frame reports it.
        sink.gap(stream, at, to);
        return;
      }
      var start = (int) (at - part.offset());
      var count = (int) Math.min(to - at, part.next() - at);
      sink.output(stream, at, Arrays.copyOfRange(part.bytes(), start, start + count));
      at += count;
    }
  }

  /** Bytes that begin at the offset or before it, and reach beyond it unless the log ends there. */
  private OutputPart part(LogStream stream, long offset) {
    var known = ahead.get(stream);
    if (known == null || offset < known.offset() || offset >= known.next()) {
      known = source.read(stream, offset, READ_BYTES);
      ahead.put(stream, known);
    }
    return known;
  }

  private long behindGap(ErrandException failure, LogStream stream, long at, long to) {
    var next = failure.facts().get("next_offset");
    if (failure.code() != ErrorCode.OUTPUT_DROPPED || next == null || next <= at) {
      throw failure;
    }
    var end = Math.min(next, to);
    sink.gap(stream, at, end);
    return end;
  }
}
