package dev.errand.host.process;

import dev.errand.core.task.LogStream;
import java.util.List;

/**
 * A process that was just started, and our ends of its pipes or terminal.
 *
 * @param stdin -1 if it has no input
 * @param outputs its output streams; only one if it has a terminal
 */
record Launched(long pid, int pidfd, int stdin, List<Output> outputs) {
  Launched {
    outputs = List.copyOf(outputs);
  }

  record Output(LogStream stream, int fd) {}
}
