package dev.errand.daemon.tool.text;

import dev.errand.core.task.ListeningPort;
import dev.errand.daemon.verb.ShownTask;
import java.util.stream.Collectors;

/** What a look at the processes of a running task shows, in words. */
public final class LiveText {

  private LiveText() {}

  /** A line; empty if there is nothing to tell. */
  public static String of(ShownTask task) {
    var ports = task.ports();
    var listens =
        ports.isEmpty()
            ? ""
            : "It listens on "
                + ports.stream().map(ListeningPort::address).collect(Collectors.joining(", "))
                + ".";
    if (!task.isStopped()) {
      return listens;
    }
    var stopped = "It is stopped (SIGSTOP): it does nothing until it gets SIGCONT.";
    return listens.isEmpty() ? stopped : stopped + " " + listens;
  }
}
