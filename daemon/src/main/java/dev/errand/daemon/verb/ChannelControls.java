package dev.errand.daemon.verb;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.task.TaskId;
import dev.errand.daemon.attach.Controls;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The checks for the client of one channel: each input and each resize is checked as by the verb of
 * that name, and leaves that verb's line in the audit. A line for each key would hide everything
 * else, so repeated calls of a verb with the same outcome are written once.
 */
final class ChannelControls implements Controls {
  private final Ask ask;
  private final TaskId taskId;
  private final boolean view;
  private final AttachTask.Controlling verbs;
  private final Set<Line> written = ConcurrentHashMap.newKeySet();

  private record Line(Control control, String outcome) {}

  /** {@code view} is whether the client only watches. */
  ChannelControls(Ask ask, TaskId taskId, boolean view, AttachTask.Controlling verbs) {
    this.ask = ask;
    this.taskId = taskId;
    this.view = view;
    this.verbs = verbs;
  }

  @Override
  public void check(Control control) {
    try {
      checkNotView();
      verb(control).permit(ask, taskId.value());
    } catch (ErrandException e) {
      audit(control, e.code().name());
      throw e;
    }
  }

  /** Sends a signal; the verb writes each one to the audit. */
  void signal(String name) throws InterruptedException {
    try {
      checkNotView();
    } catch (ErrandException e) {
      verbs.signal().audit(ask, taskId.value(), e.code().name());
      throw e;
    }
    verbs.signal().run(ask, new SignalTask.Request(taskId, name));
  }

  /** A client that attached to watch only cannot do anything else. */
  private void checkNotView() {
    if (view) {
      throw new ErrandException(
          ErrorCode.FORBIDDEN,
          "this client is attached with view and may only watch; attach without view to type");
    }
  }

  @Override
  public <X extends Exception> void apply(Control control, Action<X> action)
      throws X, InterruptedException {
    var outcome = Verb.FAILED;
    try {
      action.run();
      outcome = Verb.OK;
    } catch (ErrandException e) {
      outcome = e.code().name();
      throw e;
    } finally {
      audit(control, outcome);
    }
  }

  private void audit(Control control, String outcome) {
    if (written.add(new Line(control, outcome))) {
      verb(control).audit(ask, taskId.value(), outcome);
    }
  }

  private Verb<?, ?> verb(Control control) {
    return switch (control) {
      case STDIN -> verbs.stdin();
      case RESIZE -> verbs.resize();
    };
  }
}
