package dev.errand.daemon.tool.shell;

import dev.errand.daemon.tool.Schema;
import dev.errand.daemon.tool.ToolCall;
import dev.errand.daemon.verb.Ask;
import dev.errand.daemon.verb.ShownTask;
import dev.errand.daemon.verb.Verb;
import dev.errand.daemon.verb.Verbs;
import dev.errand.wire.json.RequestFields;
import java.util.Optional;

/**
 * Finds the run that a call means, in the session of the call. The session is named when a run is
 * spawned and need not be named again: a caller that is kept to no session finds its own runs by
 * their ids.
 */
final class RunChoice {
  private final Verbs verbs;

  RunChoice(Verbs verbs) {
    this.verbs = verbs;
  }

  /** A run, and the call as it goes on: in the session for which the run is looked at. */
  record Found(ShownTask task, Ask ask) {}

  /** What is found by its id alone is looked at for its session, as if that had been named. */
  Found find(ToolCall call, RequestFields fields) throws InterruptedException {
    var id = fields.requiredText(ShellTool.RUN_ID, 64);
    var own = own(call, id);
    if (own.isPresent()) {
      return new Found(own.get(), call.ask().within(own.get().sessionId()));
    }
    return new Found(verbs.status().find().byId(call.ask(), id), call.ask());
  }

  /** The same, refused to a caller that may not control it by this verb. */
  Found toControl(ToolCall call, RequestFields fields, Verb<?, ?> verb)
      throws InterruptedException {
    var found = find(call, fields);
    verb.check(found.ask(), found.task().id().value());
    return found;
  }

  private Optional<ShownTask> own(ToolCall call, String id) {
    return call.arguments().hasNonNull(Schema.SESSION_ID)
        ? Optional.empty()
        : verbs.status().find().startedByCaller(call.ask(), id);
  }
}
