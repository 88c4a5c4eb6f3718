package dev.errand.daemon;

import dev.errand.core.frame.FrameCodec;
import dev.errand.core.journal.Journal;
import dev.errand.core.time.Time;
import dev.errand.daemon.artifact.ArtifactStore;
import dev.errand.daemon.output.CheckedLogStore;
import dev.errand.daemon.output.FileLogStore;
import dev.errand.daemon.output.LogArchive;
import dev.errand.daemon.output.LogStore;
import dev.errand.daemon.store.Durability;
import dev.errand.host.log.LogFolders;
import dev.errand.host.log.LogReader;
import dev.errand.wire.home.ErrandHome;
import java.io.IOException;

/**
 * The output of tasks and the artifacts.
 *
 * @param checked a log store that compares each read with the checksums in the frames
 */
record Outputs(LogStore logs, LogStore checked, ArtifactStore artifacts, LogArchive archive) {

  static Outputs open(
      ErrandHome home, Journal journal, FrameCodec codec, Durability durability, Time clock)
      throws IOException {
    var reader = new LogReader(home.logs());
    var logs = new FileLogStore(reader, new LogFolders(home.logs()));
    var artifacts = new ArtifactStore(home.artifacts(), durability, clock);
    artifacts.sweepTemp();
    var checked = new CheckedLogStore(logs, artifacts, journal, codec);
    return new Outputs(logs, checked, artifacts, new LogArchive(reader, artifacts));
  }
}
