package dev.errand.daemon.verb;

import dev.errand.core.engine.Engine;
import dev.errand.core.error.PastEnd;
import dev.errand.core.journal.Journal;
import dev.errand.core.journal.StreamKey;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskState;
import dev.errand.core.task.TerminalSize;
import dev.errand.daemon.access.Tokens;
import dev.errand.daemon.attach.AttachRequest;
import dev.errand.daemon.attach.Attachments;
import dev.errand.daemon.compute.ComputePool;
import dev.errand.daemon.task.TaskViews;
import dev.errand.wire.json.RequestFields;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Attaches a client to a task. A caller whose reach includes the task may watch; input requires
 * what {@link WriteStdin} requires. Attaching changes nothing, so only the later actions are
 * written to the audit.
 */
public final class AttachTask extends Verb<AttachTask.Request, Channel> {
  private static final String AFTER_SEQ = "after_seq";

  private final Engine engine;
  private final Journal journal;
  private final TaskViews views;
  private final Attachments attachments;
  private final Tokens tokens;
  private final ComputePool compute;
  private final Controlling controlling;

  /** What an attached client can do to a task. */
  record Controlling(WriteStdin stdin, ResizeTerminal resize, SignalTask signal) {}

  /**
   * What is asked.
   *
   * @param stream the word of the stream to follow; null: the only one
   * @param from the offset of the first byte to send; null: the screen first
   * @param afterSeq the last frame that it knows; null: only later events are sent
   * @param view whether it only watches
   * @param window the size of its window, which the terminal takes; null: the size does not change
   */
  public record Request(
      TaskId taskId,
      @Nullable String stream,
      @Nullable Long from,
      @Nullable Long afterSeq,
      boolean view,
      @Nullable TerminalSize window)
      implements OfTask {}

  AttachTask(Verbs.Parts parts, Controlling controlling) {
    super("attach", new Access.Reads(Access.Target.TASK), parts.floor().authorizer());
    this.engine = parts.journaled().engine();
    this.journal = parts.journaled().journal();
    this.views = parts.work().views();
    this.attachments = parts.running().attachments();
    this.tokens = parts.running().tokens();
    this.compute = parts.output().compute();
    this.controlling = controlling;
  }

  @Override
  Channel answer(Ask ask, Request request) {
    var taskId = views.rowOf(request.taskId()).id();
    if (!request.view()) {
      controlling.stdin().check(ask, taskId.value());
    }
    var controls = new ChannelControls(ask, taskId, request.view(), controlling);
    var wanted =
        new AttachRequest(
            taskId,
            stream(taskId, request.stream()),
            request.from(),
            request.afterSeq(),
            request.view(),
            request.window(),
            client(ask.caller(), controls));
    var after = request.afterSeq();
    if (after != null) {
      PastEnd.checkSeq(AFTER_SEQ, after, journal.lastSeq(StreamKey.of(taskId)));
    }
    attachments.check(wanted);
    return new Channel(attachments, wanted, ask, controls);
  }

  private AttachRequest.Client client(Caller caller, ChannelControls controls) {
    return new AttachRequest.Client(
        caller.principal(),
        caller.session(),
        () -> Authenticator.admits(tokens, caller),
        caller.share(compute),
        controls);
  }

  /** A terminal has one stream; for a task with pipes the client must name it. */
  private LogStream stream(TaskId taskId, @Nullable String word) {
    var streams = streams(taskId);
    if (word == null && streams.size() == 1) {
      return streams.getFirst();
    }
    return streams.stream()
        .filter(it -> it.word().equals(word))
        .findFirst()
        .orElseThrow(() ->
            RequestFields.invalid(
                "the task has no terminal; say which of its streams to follow: "
                    + streams.stream()
                        .map(it -> "stream=" + it.word())
                        .collect(Collectors.joining(", "))));
  }

  private List<LogStream> streams(TaskId taskId) {
    return switch (engine.snapshot(taskId).state()) {
      case TaskState.Absent _ -> List.of();
      case TaskState.Present it -> it.facts().spec().work().streams();
    };
  }
}
