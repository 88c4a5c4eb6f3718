package dev.errand.daemon.hostlink;

import dev.errand.core.engine.Engine;
import dev.errand.daemon.recovery.Recovery;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;

/**
 * Settles what a journal says of its last home, without a hunt: whoever runs there may be at work
 * for a home that this one was copied from.
 */
public final class Adoption {
  /** No boot has this name, so nobody looks for processes of that one. */
  private static final String NO_BOOT = "adopted";

  private final Engine engine;
  private final Path hostsFolder;
  private final Undertaker undertaker;
  private final InstantSource clock;

  public Adoption(Engine engine, Path hostsFolder, Undertaker undertaker, InstantSource clock) {
    this.engine = engine;
    this.hostsFolder = hostsFolder;
    this.undertaker = undertaker;
    this.clock = clock;
  }

  /** To be called before hosts are looked for. */
  public void settle(List<Recovery.Unreadable> unreadable)
      throws IOException, InterruptedException {
    leaveHosts();
    unreadable.forEach(undertaker::leave);
    for (var snapshot : engine.live()) {
      var hostId = HostPool.hostOf(snapshot.state());
      if (!hostId.isEmpty() && !isDeadHere(hostId)) {
        undertaker.leave(snapshot);
      }
    }
  }

  /**
   * What a dead host wrote down is read first. One that lives refuses this journal, which it has
   * told more than is in it.
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
