package dev.errand.core.task;

import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * What was noticed of a task so far.
 *
 * @param hits by the place of the watcher among those of its task; none for one that never hit
 * @param readyAtMs when it became ready; 0 until then
 */
public record Attended(Map<Integer, Hits> hits, long readyAtMs) {
  static final Attended NOTHING = new Attended(Map.of(), 0);

  public Attended {
    hits = Map.copyOf(hits);
  }

  public boolean isReady() {
    return readyAtMs > 0;
  }

  public Hits of(int watcher) {
    return hits.getOrDefault(watcher, Hits.NONE);
  }

  /**
   * How often one watcher hit, and up to where in each log that is known.
   *
   * @param silenced whether it looks no further, because it hit too often or took too long
   */
  public record Hits(long count, Map<LogStream, Long> ends, boolean silenced) {
    static final Hits NONE = new Hits(0, Map.of(), false);

    public Hits {
      ends = Map.copyOf(ends);
    }

    /** What ends here or before is recorded; -1 where nothing is, since an empty line ends at 0. */
    public long end(LogStream stream) {
      return ends.getOrDefault(stream, -1L);
    }

    Hits with(TaskEvent.WatcherHit hit) {
      var further = new EnumMap<LogStream, Long>(LogStream.class);
      further.putAll(ends);
      var match = hit.match();
      if (match != null) {
        further.put(match.stream(), match.end());
      }
      return new Hits(hit.hits(), further, silenced);
    }

    Hits silent() {
      return new Hits(count, ends, true);
    }
  }

  Attended ready(long atMs) {
    return isReady() ? this : new Attended(hits, atMs);
  }

  Attended unready() {
    return new Attended(hits, 0);
  }

  Attended with(int watcher, Hits changed) {
    var all = new TreeMap<>(hits);
    all.put(watcher, changed);
    return new Attended(all, readyAtMs);
  }
}
