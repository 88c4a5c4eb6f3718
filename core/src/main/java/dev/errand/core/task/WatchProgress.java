package dev.errand.core.task;

import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the watchers of a task saw so far.
 *
 * @param hits by the place of the watcher among those of its task; none for one that never hit
 * @param readyAtMs when it became ready; 0 until then
 * @param prompt at which its terminal seems to wait; null where it was not seen to
 */
public record WatchProgress(Map<Integer, Hits> hits, long readyAtMs, @Nullable Prompt prompt) {
  static final WatchProgress NOTHING = new WatchProgress(Map.of(), 0, null);

  public WatchProgress {
    hits = Map.copyOf(hits);
  }

  /** What a terminal asks, as far as it shows; see {@link TaskEvent.PromptSeen}. */
  public record Prompt(String snippet, String confidence, long sinceMs) {}

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

    /** Matches that end here or before are recorded; -1 for none, since an empty line ends at 0. */
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

  WatchProgress ready(long atMs) {
    return isReady() ? this : new WatchProgress(hits, atMs, prompt);
  }

  /** Of a new attempt. */
  WatchProgress unready() {
    return new WatchProgress(hits, 0, null);
  }

  WatchProgress asking(Prompt seen) {
    return new WatchProgress(hits, readyAtMs, seen);
  }

  /** It continued, or got the input it waited for. */
  WatchProgress answered() {
    return prompt == null ? this : new WatchProgress(hits, readyAtMs, null);
  }

  WatchProgress with(int watcher, Hits changed) {
    var all = new TreeMap<>(hits);
    all.put(watcher, changed);
    return new WatchProgress(all, readyAtMs, prompt);
  }
}
