package dev.errand.daemon.verb;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.task.TaskId;
import dev.errand.daemon.attach.Controls;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What the client of one channel may do: each input and each resize is checked as the verb of that
 * name checks it, and leaves that verb's line in the audit. A line for each key would hide
 * everything else, so the same verb with the same outcome is written down once.
 */
final class ChannelControls implements Controls {
  private final Ask ask;
  private final TaskId taskId;
  private final boolean view;
  private final AttachTask.Controlling verbs;
  private final Set<Line> written = ConcurrentHashMap.newKeySet();

  private record Line(Control control, String outcome) {}

  /** {@code view} is whether the client only looks. */
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

  /** Sends a signal, of which the verb itself writes each down. */
  void signal(String name) throws InterruptedException {
    try {
      checkNotView();
    } catch (ErrandException e) {
      verbs.signal().audit(ask, taskId.value(), e.code().name());
      throw e;
    }
    verbs.signal().run(ask, new SignalTask.Request(taskId, name));
  }

  /** Whoever asked to look only keeps to it. */
  private void checkNotView() {
    if (view) {
      throw new ErrandException(
          ErrorCode.FORBIDDEN, "this client is attached to look only; attach without view to type");
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
