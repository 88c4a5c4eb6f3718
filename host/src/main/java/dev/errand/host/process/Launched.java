package dev.errand.host.process;

import dev.errand.core.task.LogStream;
import java.util.List;

/**
 * A process that was just started, and our ends of what connects us to it.
 *
 * @param stdin -1 when it has no input
 * @param outputs what it writes to; just one, of a terminal, where it has one
 */
record Launched(long pid, int pidfd, int stdin, List<Output> outputs) {
  Launched {
    outputs = List.copyOf(outputs);
  }

  record Output(LogStream stream, int fd) {}
}
