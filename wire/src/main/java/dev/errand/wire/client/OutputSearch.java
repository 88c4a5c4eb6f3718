package dev.errand.wire.client;

/**
 * What is searched for in a log.
 *
 * @param pattern of RE2, for single lines
 * @param context how many lines are wanted before and after one that matches
 * @param limit how many matches are wanted at once
 * @param offset where in the log the search begins
 */
public record OutputSearch(String pattern, int context, int limit, long offset) {
  private static final int LIMIT = 100;

  /** From the beginning of the log, without lines around. */
  public static OutputSearch of(String pattern) {
    return new OutputSearch(pattern, 0, LIMIT, 0);
  }

  public OutputSearch withContext(int lines) {
    return new OutputSearch(pattern, lines, limit, offset);
  }

  public OutputSearch atMost(int matches) {
    return new OutputSearch(pattern, context, matches, offset);
  }

  /** The same from there on, such as {@link OutputMatches#nextOffset}. */
  public OutputSearch from(long bytes) {
    return new OutputSearch(pattern, context, limit, bytes);
  }
}
