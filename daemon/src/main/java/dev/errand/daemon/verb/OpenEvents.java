package dev.errand.daemon.verb;

import dev.errand.core.frame.FrameCodec;
import dev.errand.core.journal.Journal;
import dev.errand.core.task.TaskId;

/**
 * Opens the frames of a task for a reader of many pages. They are a part of other answers, so this
 * does not mark the result of the task as read.
 */
public final class OpenEvents extends Verb<OpenEvents.Request, DecodedFrames> {
  private final Journal journal;
  private final FrameCodec codec;

  public record Request(TaskId taskId) implements OfTask {}

  OpenEvents(Verbs.Parts parts) {
    super("open_events", new Access.Reads(Access.Target.TASK), parts.floor().authorizer());
    this.journal = parts.journaled().journal();
    this.codec = parts.journaled().codec();
  }

  @Override
  DecodedFrames answer(Ask ask, Request request) {
    return new DecodedFrames(journal, codec, request.taskId());
  }
}
