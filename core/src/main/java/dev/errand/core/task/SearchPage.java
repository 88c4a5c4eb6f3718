package dev.errand.core.task;

import java.util.List;

/**
 * What a search found.
 *
 * @param next the number of the line in which the search continues
 * @param nextOffset where it continues
 * @param more whether there is something to be searched there already
 * @param gaps what is not kept of the log before that place
 */
public record SearchPage(
    List<Found> matches, long next, long nextOffset, boolean more, List<LogGap> gaps) {

  public SearchPage {
    matches = List.copyOf(matches);
    gaps = List.copyOf(gaps);
  }

  /**
   * A line that matches.
   *
   * @param offset where the line begins; of a very long one, the piece that matched
   * @param cut whether the text is only a part of the line
   */
  public record Found(
      long line, long offset, String text, boolean cut, List<String> before, List<String> after) {

    public Found {
      before = List.copyOf(before);
      after = List.copyOf(after);
    }
  }
}
