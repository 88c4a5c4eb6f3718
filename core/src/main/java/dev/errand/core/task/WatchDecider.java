package dev.errand.core.task;

import static dev.errand.core.task.TaskState.Absent;
import static dev.errand.core.task.TaskState.Ended;
import static dev.errand.core.task.TaskState.Live;
import static dev.errand.core.task.TaskState.Running;

import java.util.ArrayList;

/** Decides which hits of watchers are recorded. Hits that are recorded already are skipped. */
final class WatchDecider {

  private WatchDecider() {}

  static Decision watched(TaskState state, TaskCommand.Watched command) {
    return switch (state) {
      case Absent _ -> TaskDecider.noSuchTask();
      case Live it -> watched(it, command);
      // Nothing follows the end.
      case Ended _ -> Decision.accept();
    };
  }

  private static Decision watched(Live state, TaskCommand.Watched command) {
    var watchers = state.facts().spec().watching().watchers();
    var watched = state.facts().watched();
    var events = new ArrayList<TaskEvent>();
    for (var sighting : command.sightings()) {
      var index = sighting.watcher();
      if (index < 0 || index >= watchers.size()) {
        continue;
      }
      var hits = watched.of(index);
      var watcher = watchers.get(index);
      if (isOld(sighting, hits, watcher.once())) {
        continue;
      }
      if (sighting.silenced() != null) {
        events.add(
            new TaskEvent.WatcherSilenced(
                index, watcher.event(), sighting.silenced(), hits.count()));
        watched = watched.with(index, hits.silent());
      } else {
        var hit = hit(sighting, watcher.event(), hits.count());
        events.add(hit);
        watched = watched.with(index, hits.with(hit));
      }
    }
    return new Decision.Accepted(events);
  }

  private static TaskEvent.WatcherHit hit(
      TaskCommand.Watched.Sighting sighting, String event, long before) {
    return new TaskEvent.WatcherHit(
        sighting.watcher(),
        event,
        sighting.match(),
        sighting.snippet(),
        sighting.count(),
        before + sighting.count());
  }

  private static boolean isOld(
      TaskCommand.Watched.Sighting sighting, WatchProgress.Hits hits, boolean once) {
    var match = sighting.match();
    return hits.silenced()
        || (once && hits.count() > 0)
        || (match != null && match.end() <= hits.end(match.stream()));
  }

  static Decision ready(TaskState state, TaskCommand.MarkReady command) {
    return switch (state) {
      case Absent _ -> TaskDecider.noSuchTask();
      case Running it when !it.facts().watched().isReady() ->
          Decision.accept(new TaskEvent.BecameReady(command.snippet(), command.atMs()));
      // Ready before, without a process, or over.
      case Live _, Ended _ -> Decision.accept();
    };
  }

  static Decision prompt(TaskState state, TaskCommand.SeePrompt command) {
    return switch (state) {
      case Absent _ -> TaskDecider.noSuchTask();
      case Running it when isNews(it.facts(), command) ->
          Decision.accept(
              new TaskEvent.PromptSeen(command.snippet(), command.confidence(), command.atMs()));
      // Known, written over meanwhile, without a process, or over.
      case Live _, Ended _ -> Decision.accept();
    };
  }

  private static boolean isNews(TaskFacts facts, TaskCommand.SeePrompt command) {
    return facts.watched().prompt() == null
        && facts.spec().work().terminal() != null
        && facts.logs().of(LogStream.PTY).bytesTotal() <= command.offset();
  }
}
