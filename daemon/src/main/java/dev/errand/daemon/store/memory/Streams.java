package dev.errand.daemon.store.memory;

import dev.errand.core.journal.Append;
import dev.errand.core.journal.Cursor;
import dev.errand.core.journal.EncodedFrame;
import dev.errand.core.journal.Page;
import dev.errand.core.journal.StreamKey;
import dev.errand.daemon.store.Cursors;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The frames, by stream and in the order of all; used under the journal's lock. */
final class Streams {
  private final Map<StreamKey, List<Placed>> byStream = new HashMap<>();
  private final TreeMap<Long, Placed> byPosition = new TreeMap<>();
  private long lastPosition;

  private record Placed(long position, StreamKey stream, EncodedFrame frame) {}

  /** Refuses the appends if one of them does not follow the last seq of its stream. */
  void check(List<Append> appends) {
    var lastSeqs = new HashMap<StreamKey, Long>();
    for (var append : appends) {
      var stream = append.stream();
      var lastSeq = lastSeqs.computeIfAbsent(stream, this::lastSeq);
      if (lastSeq != append.afterSeq()) {
        throw new IllegalStateException(
            stream + " stands at " + lastSeq + ", not at " + append.afterSeq());
      }
      lastSeqs.put(stream, lastSeq + append.frames().size());
    }
  }

  void append(Append append) {
    if (append.frames().isEmpty()) {
      return;
    }
    var stream = byStream.computeIfAbsent(append.stream(), _ -> new ArrayList<>());
    for (var frame : append.frames()) {
      lastPosition++;
      var placed = new Placed(lastPosition, append.stream(), frame);
      stream.add(placed);
      byPosition.put(lastPosition, placed);
    }
  }

  void remove(StreamKey stream) {
    var removed = byStream.remove(stream);
    if (removed != null) {
      removed.forEach(placed -> byPosition.remove(placed.position()));
    }
  }

  List<EncodedFrame> read(StreamKey stream, long afterSeq, int limit) {
    var frames = byStream.getOrDefault(stream, List.of());
    return frames.stream().skip(afterSeq + 1).limit(limit).map(Placed::frame).toList();
  }

  long lastSeq(StreamKey stream) {
    return byStream.getOrDefault(stream, List.of()).size() - 1L;
  }

  Page readAll(Cursor after, int limit, Cursors cursors) {
    var position = cursors.position(after);
    cursors.checkNotPast(after, lastPosition);
    var entries =
        byPosition.tailMap(position, false).values().stream()
            .limit(limit)
            .map(it -> new Page.Entry(it.stream(), it.frame(), cursors.at(it.position())))
            .toList();
    return new Page(entries, entries.isEmpty() ? after : entries.getLast().cursor());
  }

  /** The position of the last frame ever appended, even if it was removed. */
  long lastPosition() {
    return lastPosition;
  }
}
