package dev.errand.daemon.hostlink;

import dev.errand.host.linux.ProcFs;
import dev.errand.host.protocol.HostReply;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** What all hosts of this home together know of processes. */
public final class HostedProcesses {
  private final Collection<HostLink> links;

  HostedProcesses(Collection<HostLink> links) {
    this.links = links;
  }

  /** Whether this process is one of the hosts. */
  public boolean isHost(ProcFs.Stat process) {
    return links.stream().anyMatch(it -> it.isProcess(process));
  }

  /** What each host that can be asked says of itself. */
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
