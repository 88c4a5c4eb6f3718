package dev.errand.daemon;

import dev.errand.daemon.maintenance.ArtifactScrub;
import dev.errand.daemon.maintenance.Cleanup;
import dev.errand.daemon.maintenance.LogRemoval;
import dev.errand.daemon.maintenance.MaintenanceLoop;
import dev.errand.daemon.maintenance.OldBuilds;
import java.nio.file.Files;

/** The maintenance of the home: retention, clean-up and checks. */
final class Upkeep {
  final Cleanup cleanup;
  final ArtifactScrub scrub;
  final LogRemoval logRemoval;
  private final MaintenanceLoop maintenance;

  Upkeep(Startup startup, Storage storage) {
    var home = startup.home();
    var outputs = storage.outputs;
    var builds = new OldBuilds(home.builds(), home.hosts(), startup.build().digest());
    cleanup =
        new Cleanup(
            storage.engine,
            storage.journal,
            new Cleanup.Files(
                outputs.artifacts(), outputs.logs(), builds, () -> Files.exists(home.loss())),
            () -> startup.config().output(),
            () -> startup.config().tasks().sharing().orphanTtl(),
            storage.lastUse::ago);
    scrub = new ArtifactScrub(home.artifacts());
    logRemoval = new LogRemoval(outputs.logs());
    maintenance =
        startup.opened(
            "maintenance", new MaintenanceLoop(cleanup, scrub, storage.damages, startup.clock()));
  }

  void start() {
    maintenance.start();
  }
}
