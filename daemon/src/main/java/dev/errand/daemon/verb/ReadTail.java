package dev.errand.daemon.verb;

import dev.errand.core.task.TaskId;
import dev.errand.daemon.output.PlainText;
import dev.errand.daemon.output.Tails;

/**
 * Reads the end of the output of a task so far, as plain text of all its streams. It is a part of
 * other answers, so it does not mark the result of the task as read.
 */
public final class ReadTail extends Verb<ReadTail.Request, ReadTail.Tail> {

  /** The maximum length of a snippet of output. */
  public static final int SNIPPET_CHARS = Tails.SNIPPET_CHARS;

  private final Tails tails;

  public record Request(TaskId taskId, int charsMax) implements OfTask {}

  /** Plain text, empty if there is no output. */
  public record Tail(String text) {

    /** The last line that is not blank; empty if there is none. */
    public String lastLine(int charsMax) {
      return PlainText.lastLine(text, charsMax);
    }
  }

  ReadTail(Verbs.Parts parts) {
    super("read_tail", new Access.Reads(Access.Target.TASK), parts.floor().authorizer());
    var journaled = parts.journaled();
    this.tails =
        new Tails(
            journaled.journal(),
            journaled.codec(),
            parts.output().logs(),
            journaled.engine()::liveSnapshot);
  }

  @Override
  Tail answer(Ask ask, Request request) {
    return new Tail(tails.of(request.taskId(), request.charsMax()));
  }
}
