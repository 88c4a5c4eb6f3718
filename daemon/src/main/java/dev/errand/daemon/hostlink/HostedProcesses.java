package dev.errand.daemon.hostlink;

import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskView;
import dev.errand.daemon.task.EscapedProcesses;
import dev.errand.host.linux.ProcFs;
import dev.errand.host.protocol.HostReply;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** What all hosts of this home together know of processes. */
public final class HostedProcesses implements EscapedProcesses {
  private final Collection<HostLink> links;

  HostedProcesses(Collection<HostLink> links) {
    this.links = links;
  }

  /** Whether this process is one of the hosts. */
  public boolean isHost(ProcFs.Stat process) {
    return links.stream().anyMatch(it -> it.isProcess(process));
  }

  /** The processes that run outside of tasks: kept ones and escaped ones. */
  public List<HostReply.Left> left() {
    return links.stream().flatMap(it -> it.left().stream()).toList();
  }

  @Override
  public List<TaskView.EscapedProcess> escapedFrom(TaskId taskId) {
    var escaped = new ArrayList<TaskView.EscapedProcess>();
    for (var link : links) {
      for (var process : link.left()) {
        if (!process.kept() && process.tasks().contains(taskId) && lives(process)) {
          escaped.add(new TaskView.EscapedProcess(process.pid(), process.name()));
        }
      }
    }
    return escaped;
  }

  /** The host looks about once a second, and it may have ended since. */
  private static boolean lives(HostReply.Left process) {
    return ProcFs.stat(process.pid())
        .filter(it -> it.alive() && it.startTicks() == process.startTicks())
        .isPresent();
  }

  /** The statistics of each host that can be reached. */
  public List<HostReply.Statistics> statistics() throws InterruptedException {
    var all = new ArrayList<HostReply.Statistics>();
    for (var link : links) {
      var statistics = link.statistics();
      if (statistics != null) {
        all.add(statistics);
      }
    }
    return all;
  }
}
