package dev.errand.daemon.verb;

/** Reads an artifact, whole or by range. */
public final class ReadArtifact extends Verb<ReadArtifact.Request, StoredContent> {
  private final Contents contents;

  public record Request(String sha256) implements Verb.Request {
    @Override
    public String target() {
      return sha256;
    }
  }

  ReadArtifact(Verbs.Parts parts) {
    super("read_artifact", new Access.Reads(Access.Target.ARTIFACT), parts.floor().authorizer());
    this.contents = Contents.of(parts);
  }

  @Override
  StoredContent answer(Ask ask, Request request) {
    return contents.artifact(request.sha256());
  }
}
