package dev.errand.daemon.attach;

import dev.errand.core.error.ErrandException;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TerminalSize;
import dev.errand.daemon.task.CommandRunner;
import dev.errand.daemon.task.Tasks;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The window of one client. The terminal takes its size when the client attaches, when the window
 * changes, and when the client types after another client changed the size: the latest action
 * decides.
 */
final class Window {
  private final Tasks tasks;
  private final TaskId taskId;
  private final String by;
  private final Controls controls;
  private volatile @Nullable TerminalSize size;

  Window(Tasks tasks, AttachRequest request) {
    this.tasks = tasks;
    this.taskId = request.taskId();
    this.by = request.client().principal();
    this.controls = request.client().controls();
    this.size = request.view() ? null : request.window();
  }

  void resize(TerminalSize wanted) throws InterruptedException {
    size = wanted;
    give(wanted);
  }

  /** Resizes the terminal if that is possible; the next input tries again. */
  void fit() throws InterruptedException {
    var wanted = size;
    if (wanted == null || wanted.equals(tasks.terminal(taskId))) {
      return;
    }
    try {
      give(wanted);
    } catch (ErrandException _) {
      // It does not run yet, or no longer; its size is no reason to refuse anything.
      return;
    }
  }

  private void give(TerminalSize wanted) throws InterruptedException {
    var request = new CommandRunner.ResizeRequest(UUID.randomUUID().toString(), wanted, by);
    controls.apply(Controls.Control.RESIZE, () -> tasks.resize(taskId, request));
  }
}
