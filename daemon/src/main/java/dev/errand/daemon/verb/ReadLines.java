package dev.errand.daemon.verb;

import dev.errand.core.task.LinePage;
import dev.errand.core.task.LogSpan;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskId;
import dev.errand.daemon.compute.ComputePool;
import dev.errand.daemon.output.LogLines;
import dev.errand.daemon.task.ResultReads;
import org.jspecify.annotations.Nullable;

/** Reads lines of the output of a task in one stream, by their numbers. */
public final class ReadLines extends Verb<ReadLines.Request, ReadLines.Lines> {
  private final TaskLog.Finder finder;
  private final LogLines lines;
  private final ResultReads reads;
  private final ComputePool compute;

  /**
   * What is asked.
   *
   * @param stream null: the one with the plain output of the task
   * @param first the number of the first line, counted from 1
   */
  public record Request(TaskId taskId, @Nullable LogStream stream, long first, int count)
      implements OfTask {}

  /** The log at the time of the read, and lines of it. */
  public record Lines(LogSpan log, LinePage page) {}

  ReadLines(Verbs.Parts parts, LogLines lines) {
    super("read_lines", new Access.Reads(Access.Target.TASK), parts.floor().authorizer());
    this.finder = TaskLog.Finder.of(parts);
    this.lines = lines;
    this.reads = parts.work().reads();
    this.compute = parts.output().compute();
  }

  @Override
  Lines answer(Ask ask, Request request) throws InterruptedException {
    var row = finder.views().rowOf(request.taskId());
    var log = finder.find(row, request.stream()).span();
    var share = ask.caller().share(compute);
    var page = lines.lines(share, log, request.first(), request.count());
    ask.tells(reads, row);
    return new Lines(log, page);
  }
}
