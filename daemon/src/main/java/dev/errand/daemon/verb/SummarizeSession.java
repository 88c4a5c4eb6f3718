package dev.errand.daemon.verb;

import dev.errand.core.engine.Engine;
import dev.errand.core.journal.Journal;
import dev.errand.core.journal.TaskQuery;
import dev.errand.core.journal.TaskRow;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskView;
import dev.errand.daemon.compute.ComputePool;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Summarizes the tasks of a session, for a caller that has lost its context. It does not mark
 * results as read.
 */
public final class SummarizeSession
    extends Verb<SummarizeSession.Request, SummarizeSession.Summary> {
  private final Engine engine;
  private final Journal journal;
  private final ShownTasks tasks;
  private final ComputePool compute;

  /** How many live tasks and how many ended ones are wanted. */
  public record Request(int activeMax, int endedMax) implements OfNothing {}

  /**
   * The newest tasks of the session, and of those that they started.
   *
   * @param unreadResults how many of the shown ended tasks have an unread result
   * @param unreadNotices how many notices are not acknowledged
   */
  public record Summary(
      SessionId sessionId,
      List<TaskView> active,
      List<TaskView> ended,
      long unreadResults,
      long unreadNotices) {
    public Summary {
      active = List.copyOf(active);
      ended = List.copyOf(ended);
    }
  }

  SummarizeSession(Verbs.Parts parts) {
    super("summarize_session", new Access.Filtered(), parts.floor().authorizer());
    this.engine = parts.journaled().engine();
    this.journal = parts.journaled().journal();
    this.tasks = parts.shownTasks();
    this.compute = parts.output().compute();
  }

  @Override
  Summary answer(Ask ask, Request request) throws InterruptedException {
    reached(ask).mustCover(ask.session());
    var answer = new AtomicReference<Summary>();
    ask.caller()
        .share(compute)
        .run(_ -> {
          answer.set(summary(ask.session(), request));
          return true;
        });
    return answer.get();
  }

  private Summary summary(SessionId session, Request request) {
    var ended = rows(session, false, request.endedMax());
    return new Summary(
        session,
        views(rows(session, true, request.activeMax())),
        views(ended),
        ended.stream().filter(it -> it.lifetime().readAtMs() == 0).count(),
        journal.unacknowledged(session));
  }

  private List<TaskRow> rows(SessionId session, boolean active, int max) {
    var query = new TaskQuery(session, null, null, Set.of(), active, null, max);
    return engine.rows(query.withDescendants());
  }

  private List<TaskView> views(List<TaskRow> rows) {
    return tasks.of(rows).stream().map(ShownTask::view).toList();
  }
}
