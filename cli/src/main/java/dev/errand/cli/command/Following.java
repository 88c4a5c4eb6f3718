package dev.errand.cli.command;

import dev.errand.cli.terminal.Console;
import dev.errand.cli.terminal.OutputClosedException;
import dev.errand.core.task.TaskId;
import dev.errand.wire.client.ErrandClient;
import dev.errand.wire.client.NoDaemonException;
import dev.errand.wire.client.OutputSink;

/** Follows a task to its end. If it stops earlier, it prints how to follow the task again. */
final class Following {

  private Following() {}

  static void follow(
      ErrandClient client, TaskId taskId, long afterSeq, OutputSink sink, Console console) {
    try (var _ = DetachMessage.armed(console, taskId)) {
      client.follow(taskId, afterSeq, sink);
    } catch (OutputClosedException e) {
      console.say(DetachMessage.text(taskId));
      throw e;
    } catch (NoDaemonException e) {
      throw new CliException(
          ExitCode.NO_DAEMON,
          "%s; the task goes on: errand up && errand logs -f %s".formatted(e.getMessage(), taskId),
          e);
    }
  }
}
