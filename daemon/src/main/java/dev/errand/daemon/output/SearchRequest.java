package dev.errand.daemon.output;

import com.google.re2j.Pattern;
import dev.errand.core.task.SearchFrom;

/**
 * What is searched for, and where the search begins.
 *
 * @param context how many lines are shown before and after one that matches
 * @param limit how many matches are wanted at most
 */
public record SearchRequest(Pattern pattern, int context, int limit, SearchFrom from) {}
