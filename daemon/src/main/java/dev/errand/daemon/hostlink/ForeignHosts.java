package dev.errand.daemon.hostlink;

import dev.errand.core.time.Time;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The hosts in this home that refuse the daemon, since they belong to another journal. */
final class ForeignHosts {
  private static final Logger log = LoggerFactory.getLogger(ForeignHosts.class);
  private static final Duration DEAD_CHECK_EVERY = Duration.ofMillis(20);

  private final Set<HostLink> links = ConcurrentHashMap.newKeySet();

  /** Keeps a host that could not be connected to, if that is because it refused. */
  void note(HostLink link) {
    if (!link.refusal().isEmpty() && links.add(link)) {
      log.warn(
          "host {} belongs to another journal, so its tasks continue out of reach: {}; errand down"
              + " --all ends them",
          link.id(),
          link.refusal());
    }
  }

  int count() {
    return links.size();
  }

  List<HostLink> all() {
    return List.copyOf(links);
  }

  /** A host whose folder is gone ends its tasks and itself. */
  void end(Time clock, Duration timeout) throws IOException, InterruptedException {
    var deadline = clock.ticks() + timeout.toNanos();
    for (var link : links) {
      // Its lock must still be found, since only the lock shows that it is dead.
      var aside = link.folder().moveAside();
      while (!aside.isDead(clock.instant()) && clock.ticks() < deadline) {
        clock.sleep(DEAD_CHECK_EVERY);
      }
      DeadHostSettlement.removeFolder(aside);
    }
  }
}
