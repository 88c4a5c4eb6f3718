package dev.errand.daemon.surface.http;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.task.SessionId;
import dev.errand.daemon.verb.ReadArtifact;
import dev.errand.daemon.verb.ReadLog;
import dev.errand.daemon.verb.StoreArtifact;
import dev.errand.daemon.verb.Verbs;
import dev.errand.wire.http.Headers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import tools.jackson.databind.node.JsonNodeFactory;

/** Content by its digest, and logs by their id: an ended log is the same content under both. */
final class ArtifactRoutes {
  private final Verbs.OfOutput verbs;
  private final HttpSettings settings;

  ArtifactRoutes(Verbs.OfOutput verbs, HttpSettings settings) {
    this.verbs = verbs;
    this.settings = settings;
  }

  List<Route> routes() {
    return List.of(
        Route.of(verbs.store(), "PUT", "/artifacts", this::upload)
            .query("session_id")
            .about("Stores the body under its digest.")
            .gives(201, "Artifact"),
        Route.of(verbs.artifact(), "GET", "/artifacts/{sha256}", this::artifact)
            .about("The bytes of an artifact.")
            .givesOther(200, Headers.OCTET_STREAM)
            .givesOther(206, Headers.OCTET_STREAM),
        Route.of(verbs.artifact(), "HEAD", "/artifacts/{sha256}", this::artifact)
            .about("The size of an artifact.")
            .givesOther(200, ""),
        Route.of(verbs.log(), "GET", "/logs/{log_id}", this::log)
            .about("The bytes of a log.")
            .givesOther(200, Headers.OCTET_STREAM)
            .givesOther(206, Headers.OCTET_STREAM),
        Route.of(verbs.log(), "HEAD", "/logs/{log_id}", this::log)
            .about("The size of a log.")
            .givesOther(200, ""));
  }

  private Reply upload(Call call) throws IOException, InterruptedException {
    var bytesMax = settings.limits().artifactBytesMax();
    if (call.declaredLength() > bytesMax) {
      throw new ErrandException(
          ErrorCode.TOO_LARGE, "an artifact has at most " + bytesMax + " bytes; send less");
    }
    var session = session(call);
    try (var content = call.bodyStream()) {
      var request = new StoreArtifact.Request(content, bytesMax, session);
      return created(verbs.store().run(call.ask(null), request));
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /** The session of the upload: the one that it names, or the caller's own. */
  private static SessionId session(Call call) {
    var named = call.namedSession();
    return named == null ? call.caller().session() : named;
  }

  private static Reply created(StoreArtifact.Stored stored) {
    var body =
        JsonNodeFactory.instance
            .objectNode()
            .put("artifact_id", stored.sha256())
            .put("bytes", stored.bytes());
    return Reply.json(HttpStatus.CREATED_201, body)
        .with(HttpHeader.LOCATION.asString(), "/artifacts/" + stored.sha256());
  }

  private Reply artifact(Call call) throws InterruptedException {
    var request = new ReadArtifact.Request(call.id());
    return Blob.of(verbs.artifact().run(call.asker(), request)).reply(call);
  }

  private Reply log(Call call) throws InterruptedException {
    var request = new ReadLog.Request(call.id());
    return Blob.of(verbs.log().run(call.asker(), request)).reply(call);
  }
}
