package dev.errand.daemon.verb;

import dev.errand.core.task.LogSpan;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.SearchFrom;
import dev.errand.core.task.SearchPage;
import dev.errand.core.task.TaskId;
import dev.errand.daemon.compute.ComputePool;
import dev.errand.daemon.output.LogLines;
import dev.errand.daemon.output.SearchRequest;
import dev.errand.daemon.task.ResultReads;
import org.jspecify.annotations.Nullable;

/** Searches what a task wrote to one stream for lines that match a pattern. */
public final class SearchOutput extends Verb<SearchOutput.Request, SearchOutput.Matches> {
  private final TaskLog.Finder finder;
  private final LogLines lines;
  private final ResultReads reads;
  private final ComputePool compute;

  /**
   * What is asked.
   *
   * @param stream null for the one that a task has for its plain output
   */
  public record Request(TaskId taskId, @Nullable LogStream stream, Search search)
      implements OfTask {}

  /**
   * What is searched for, and where the search begins.
   *
   * @param context how many lines are shown before and after one that matches
   * @param limit how many matches are wanted at most
   */
  public record Search(SearchPattern pattern, int context, int limit, SearchFrom from) {}

  /** The log as it stood, and what was found in it. */
  public record Matches(LogSpan log, SearchPage page) {}

  SearchOutput(Verbs.Parts parts, LogLines lines) {
    super("search_output", new Access.Reads(Access.Target.TASK), parts.floor().authorizer());
    this.finder = TaskLog.Finder.of(parts);
    this.lines = lines;
    this.reads = parts.work().reads();
    this.compute = parts.output().compute();
  }

  @Override
  Matches answer(Ask ask, Request request) throws InterruptedException {
    var row = finder.views().rowOf(request.taskId());
    var log = finder.find(row, request.stream()).span();
    var share = ask.caller().share(compute);
    var page = lines.search(share, log, wanted(request.search()));
    ask.tells(reads, row);
    return new Matches(log, page);
  }

  private static SearchRequest wanted(Search search) {
    return new SearchRequest(
        search.pattern().pattern(), search.context(), search.limit(), search.from());
  }
}
