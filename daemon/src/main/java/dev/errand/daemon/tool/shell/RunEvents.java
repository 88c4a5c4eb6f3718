package dev.errand.daemon.tool.shell;

import dev.errand.core.frame.Frame;
import dev.errand.core.task.End;
import dev.errand.core.task.Exit;
import dev.errand.core.task.TaskEvent;
import dev.errand.core.task.WatchCondition;
import java.util.Optional;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** What happened to a run, beside its output: changes of its status, and hits of its watchers. */
final class RunEvents {

  private RunEvents() {}

  /** Empty for an event that does not concern those who wait for the run. */
  static Optional<RunItem> item(Run run, Frame.Head head, TaskEvent event) {
    var meta = JsonNodeFactory.instance.objectNode().put("run_id", run.taskId().value());
    var payload = payload(run, event, meta);
    return payload.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new RunItem(head.seq(), RunItem.EVENT, payload, meta, head.timestampMs(), left(event)));
  }

  private static String left(TaskEvent event) {
    return event instanceof TaskEvent.Ended(var end) && end.exit() != null
        ? RunViews.left(end.exit().leftovers())
        : "";
  }

  private static String payload(Run run, TaskEvent event, ObjectNode meta) {
    return switch (event) {
      case TaskEvent.Started it -> status(meta.put("attempt", it.attempt()), RunStatus.RUNNING);
      case TaskEvent.Requeued it -> status(meta.put("reason", it.reason()), RunStatus.QUEUED);
      case TaskEvent.Ended(var end) -> status(ended(end, meta), RunStatus.of(end));
      case TaskEvent.CancelRequested(var reason, var by) -> {
        meta.put("reason", reason).put("by", by);
        yield "cancel_requested";
      }
      case TaskEvent.LimitPassed it -> {
        meta.put("limit", it.limit()).put("value", it.value());
        yield "limit_passed";
      }
      case TaskEvent.WatcherHit it -> {
        hit(run, it, meta);
        yield it.event();
      }
      case TaskEvent.WatcherSilenced it -> {
        meta.put("event", it.event()).put("reason", it.reason()).put("hits", it.hits());
        yield "watcher_silenced";
      }
      case TaskEvent.BecameReady it -> {
        meta.put("snippet", it.snippet());
        yield "ready";
      }
      case TaskEvent.OutputGap it -> {
        meta.put("stream", it.stream().word()).put("from", it.from()).put("to", it.to());
        yield "output_dropped";
      }
      case TaskEvent.OutputLost it -> {
        meta.put("stream", it.stream().word()).put("from", it.from()).put("to", it.to());
        yield "output_lost";
      }
      case TaskEvent.Spawned _,
          TaskEvent.Approved _,
          TaskEvent.Denied _,
          TaskEvent.Attempted _,
          TaskEvent.Output _,
          TaskEvent.OutputMerged _,
          TaskEvent.StdinWritten _,
          TaskEvent.PromptSeen _,
          TaskEvent.Signalled _,
          TaskEvent.Resized _,
          TaskEvent.KillStepped _,
          TaskEvent.ArtifactWritten _,
          TaskEvent.Cancelled _,
          TaskEvent.Unknown _ ->
          "";
    };
  }

  private static String status(ObjectNode meta, String word) {
    meta.put("status", word);
    return word;
  }

  private static ObjectNode ended(End end, ObjectNode meta) {
    switch (end) {
      case End.Exited it -> meta.put("exit_code", it.exit().code());
      case End.LimitPassed it -> meta.put("exit_code", it.exit().code()).put("limit", it.limit());
      case End.NotStarted it -> meta.put("reason", it.reason());
      case End.Cancelled it -> meta.put("reason", it.reason());
      case End.Denied it -> meta.put("reason", it.reason());
      case End.Lost _, End.Corrupt _, End.ApprovalExpired _ -> {}
    }
    var exit = end.exit();
    if (exit != null && !exit.leftovers().outcome().equals("none")) {
      leftovers(exit.leftovers(), meta);
    }
    return meta;
  }

  private static void leftovers(Exit.Leftovers leftovers, ObjectNode meta) {
    meta.put("leftover", leftovers.outcome());
    var killed = meta.putArray("killed");
    leftovers.killed().forEach(killed::add);
    var survivors = meta.putArray("survivors");
    leftovers.survivors().forEach(survivors::add);
    var processes = meta.putArray("leftover_processes");
    for (var it : leftovers.processes()) {
      processes.addObject().put("pid", it.pid()).put("command", it.command());
    }
  }

  private static void hit(Run run, TaskEvent.WatcherHit hit, ObjectNode meta) {
    var match = hit.match();
    if (match != null) {
      meta.put("stream", match.stream().word());
      meta.put("offset", match.offset()).put("end_offset", match.end());
    }
    var watchers = run.spec().watching().watchers();
    if (hit.watcher() < watchers.size()
        && watchers.get(hit.watcher()).condition() instanceof WatchCondition.Regex regex) {
      meta.put("regex", regex.pattern());
    }
    meta.put("hits", hit.hits()).put("snippet", hit.snippet());
  }
}
