package dev.errand.core.task;

import java.util.List;

/**
 * Lines of a log.
 *
 * @param first the number of the first of them, also where there are none
 * @param offset where the first of them begins
 * @param next the first line that a reader lacks; the last one is among them where it may grow
 * @param nextOffset where that begins
 * @param cut the numbers of those of which only the beginning is here
 * @param partial whether the last of them is not complete yet
 * @param gaps what is not kept of the log before the end of this page
 */
public record LinePage(
    List<String> lines,
    long first,
    long offset,
    long next,
    long nextOffset,
    List<Long> cut,
    boolean partial,
    List<LogGap> gaps) {

  public LinePage {
    lines = List.copyOf(lines);
    cut = List.copyOf(cut);
    gaps = List.copyOf(gaps);
  }
}
