package dev.errand.daemon.verb;

import dev.errand.core.task.SessionId;
import dev.errand.daemon.artifact.ArtifactStore;
import dev.errand.daemon.compute.ComputePool;
import dev.errand.daemon.task.Uploads;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Stores content under its digest. The request is known only when all content has arrived, so the
 * part that happens once is the retention: storing the same content again changes nothing.
 */
public final class StoreArtifact extends Verb<StoreArtifact.Request, StoreArtifact.Stored> {
  private static final String NAME = "store_artifact";
  private static final Access ACCESS = new Access.ControlsOwn();
  private static final String ARTIFACT_ID = "artifact_id";
  private static final String BYTES = "bytes";

  private final ArtifactStore artifacts;
  private final ComputePool compute;
  private final Keep keep;

  /**
   * What is asked.
   *
   * @param content read to its end, and closed by the door
   * @param bytesMax more bytes are refused with TOO_LARGE
   * @param session the session that it will belong to
   */
  public record Request(InputStream content, long bytesMax, SessionId session)
      implements OfNothing {}

  public record Stored(String sha256, long bytes) {}

  StoreArtifact(Verbs.Parts parts) {
    super(NAME, ACCESS, parts.floor().authorizer());
    this.artifacts = parts.output().artifacts();
    this.compute = parts.output().compute();
    this.keep = new Keep(parts);
  }

  /** Throws an UncheckedIOException if the content could not be read. */
  @Override
  Stored answer(Ask ask, Request request) throws InterruptedException {
    reached(ask).mustCover(request.session());
    var stored = stored(ask, request);
    // Earlier versions identified an upload by the digest of its content.
    return keep.answer(ask.knownEarlierBy(stored.sha256()), new Kept(stored, request.session()));
  }

  private Stored stored(Ask ask, Request request) throws InterruptedException {
    try {
      var share = ask.caller().share(compute);
      var stored = artifacts.put(share, request.content(), request.bytesMax());
      return new Stored(stored.sha256(), stored.bytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  String outcome(Stored stored) {
    return stored.sha256();
  }

  private record Kept(Stored stored, SessionId session) implements Change.Request, OfNothing {
    @Override
    public List<String> words() {
      return List.of(stored.sha256(), session.value());
    }
  }

  /** Records that the content was uploaded and by whom; access was checked before. */
  private static final class Keep extends Change<Kept, Stored> {
    private final Uploads uploads;

    private Keep(Verbs.Parts parts) {
      super(NAME, ACCESS, parts.floor());
      this.uploads = parts.output().uploads();
    }

    @Override
    Stored change(Ask ask, Kept request, Once<Stored> once) {
      var stored = request.stored();
      uploads.keep(stored.sha256(), stored.bytes(), request.session());
      return stored;
    }

    @Override
    ObjectNode remembered(Stored stored) {
      return JsonNodeFactory.instance
          .objectNode()
          .put(ARTIFACT_ID, stored.sha256())
          .put(BYTES, stored.bytes());
    }

    @Override
    Stored again(JsonNode remembered) {
      return new Stored(
          remembered.path(ARTIFACT_ID).stringValue(""), remembered.path(BYTES).longValue());
    }
  }
}
