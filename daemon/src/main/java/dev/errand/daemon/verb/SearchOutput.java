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

/** Searches the output of a task in one stream for lines that match a pattern. */
public final class SearchOutput extends Verb<SearchOutput.Request, SearchOutput.Matches> {
  private final TaskLog.Finder finder;
  private final LogLines lines;
  private final ResultReads reads;
  private final ComputePool compute;

  /**
   * What is asked.
   *
   * @param stream null: the one with the plain output of the task
   */
  public record Request(TaskId taskId, @Nullable LogStream stream, Search search)
      implements OfTask {}

  /**
   * What to search for, and where to start.
   *
   * @param context how many lines to show before and after a match
   * @param limit the maximum number of matches
   */
  public record Search(SearchPattern pattern, int context, int limit, SearchFrom from) {}

  /** The log at the time of the search, and what was found in it. */
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
