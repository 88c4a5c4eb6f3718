package dev.errand.daemon.hostlink;

import dev.errand.core.engine.Engine;
import dev.errand.daemon.recovery.Recovery;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;

/**
 * Settles the tasks of a journal that was copied from another home, without killing processes: they
 * may work for the home that this one was copied from.
 */
public final class Adoption {
  /** No boot has this name, so no processes of that boot are searched for. */
  private static final String NO_BOOT = "adopted";

  private final Engine engine;
  private final Path hostsFolder;
  private final DeadHostSettlement settlement;
  private final InstantSource clock;

  public Adoption(
      Engine engine, Path hostsFolder, DeadHostSettlement settlement, InstantSource clock) {
    this.engine = engine;
    this.hostsFolder = hostsFolder;
    this.settlement = settlement;
    this.clock = clock;
  }

  /** To be called before hosts are searched for. */
  public void settle(List<Recovery.Unreadable> unreadable)
      throws IOException, InterruptedException {
    leaveHosts();
    unreadable.forEach(settlement::leave);
    for (var snapshot : engine.live()) {
      var hostId = HostPool.hostOf(snapshot.state());
      if (!hostId.isEmpty() && !isDeadHere(hostId)) {
        settlement.leave(snapshot);
      }
    }
  }

  /**
   * The records of a dead host are read first. A living one refuses this journal, because it
   * belongs to the journal that was copied.
   */
  private boolean isDeadHere(String hostId) throws IOException {
    var folder = hostsFolder.resolve(hostId);
    return Files.isDirectory(folder) && new HostFolder(folder).isDead(clock.instant());
  }

  /** A copied folder names the socket of a host that lives elsewhere; its records are as good. */
  private void leaveHosts() throws IOException {
    for (var folder : HostFolder.allIn(hostsFolder)) {
      if (folder.isDead(clock.instant())) {
        Files.writeString(folder.boot(), NO_BOOT);
        Files.deleteIfExists(folder.address());
      }
    }
  }
}
