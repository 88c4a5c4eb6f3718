package dev.errand.daemon.task;

import dev.errand.core.engine.Engine;
import dev.errand.core.journal.ArtifactLink;
import dev.errand.core.task.SessionId;
import java.time.InstantSource;

/** Retains uploads of callers: an artifact without a reference would be removed. */
public final class Uploads {
  private final Engine engine;
  private final InstantSource clock;

  public Uploads(Engine engine, InstantSource clock) {
    this.engine = engine;
    this.clock = clock;
  }

  /** Records that this artifact was uploaded, and by which session: it may read it from now on. */
  public void keep(String sha256, long bytes, SessionId by) {
    engine.commit(
        batch -> batch.artifact(ArtifactLink.uploaded(sha256, by, bytes, clock.millis())));
  }
}
