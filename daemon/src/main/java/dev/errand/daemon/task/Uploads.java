package dev.errand.daemon.task;

import dev.errand.core.engine.Engine;
import dev.errand.core.journal.ArtifactLink;
import java.time.InstantSource;

/** Keeps what callers upload: an artifact that nothing keeps would be swept away. */
public final class Uploads {
  private final Engine engine;
  private final InstantSource clock;

  public Uploads(Engine engine, InstantSource clock) {
    this.engine = engine;
    this.clock = clock;
  }

  /** Records that this artifact was uploaded; keeping it again changes nothing. */
  public void keep(String sha256, long bytes) {
    engine.commit(batch -> batch.artifact(new ArtifactLink(sha256, null, bytes, clock.millis())));
  }
}
