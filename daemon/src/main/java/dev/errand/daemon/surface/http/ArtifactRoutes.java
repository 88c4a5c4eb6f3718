package dev.errand.daemon.surface.http;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.SessionId;
import dev.errand.daemon.verb.Authorizer;
import dev.errand.wire.http.Params;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import tools.jackson.databind.node.JsonNodeFactory;

/** Content by its digest, and logs by their id: once a log has ended both are the same bytes. */
final class ArtifactRoutes {
  private static final int CHUNK_BYTES = 64 * 1024;

  /** As much as a frame covers in a flood: each read compares whole frames with their checksums. */
  private static final int CHECKED_BYTES = 1 << 20;

  private final Services services;
  private final KeyedRoutes keyed;
  private final HttpSettings settings;

  ArtifactRoutes(Services services, KeyedRoutes keyed, HttpSettings settings) {
    this.services = services;
    this.keyed = keyed;
    this.settings = settings;
  }

  Reply upload(Call call) throws IOException, InterruptedException {
    var bytesMax = settings.limits().artifactBytesMax();
    if (call.declaredLength() > bytesMax) {
      throw new ErrandException(
          ErrorCode.TOO_LARGE, "an artifact has at most " + bytesMax + " bytes; send less");
    }
    var session = uploader(call);
    try (var in = call.bodyStream()) {
      var share = call.caller().share(services.output().compute());
      var stored = services.output().artifacts().put(share, in, bytesMax);
      return keyed.once(
          call,
          stored.sha256(),
          _ -> {
            services.output().uploads().keep(stored.sha256(), stored.bytes(), session);
            return created(stored.sha256(), stored.bytes());
          });
    }
  }

  /** The session that it is to belong to: the caller's own, or one that he names and sees. */
  private static SessionId uploader(Call call) {
    var named = call.query(Params.SESSION_ID);
    if (named == null) {
      return call.caller().session();
    }
    var session = Call.sessionId(Params.SESSION_ID, named);
    call.caller().mustSee(session);
    return session;
  }

  private static Reply.Whole created(String sha256, long bytes) {
    var body = JsonNodeFactory.instance.objectNode().put("artifact_id", sha256).put("bytes", bytes);
    return Reply.json(HttpStatus.CREATED_201, body)
        .with(HttpHeader.LOCATION.asString(), "/artifacts/" + sha256);
  }

  Reply artifact(Call call) throws IOException {
    return artifact(call, call.id());
  }

  /** A growing log as far as it has come, and an ended one as the artifact that it became. */
  Reply log(Call call) throws IOException {
    var dot = call.id().lastIndexOf('.');
    var stream = LogStream.ofWord(call.id().substring(dot + 1));
    if (dot < 0 || stream.isEmpty()) {
      throw new ErrandException(
          ErrorCode.NOT_FOUND, "there is no such log; its id is <task_id>.<stream>");
    }
    var row = services.tasks().views().rowOf(Authorizer.taskId(call.id().substring(0, dot)));
    var log = TaskLog.of(services, row, stream.get());
    ResultsRead.note(services, row, call);
    var artifactId = log.artifactId();
    return artifactId != null && log.ended() && isThere(artifactId)
        ? artifact(call, artifactId)
        : growing(log).reply(call);
  }

  /** An artifact that is gone leaves its log to be read. */
  private boolean isThere(String sha256) throws IOException {
    var file = services.output().artifacts().open(sha256);
    if (file.isPresent()) {
      file.get().close();
    }
    return file.isPresent();
  }

  private Blob growing(TaskLog log) {
    return new Blob(
        log.total(), null, (offset, length, outlet) -> copy(log, offset, length, outlet));
  }

  /** Where the cap drops a range meanwhile, the caller is cut and learns of it when it returns. */
  private void copy(TaskLog log, long offset, long length, Outlet outlet) throws IOException {
    var at = offset;
    while (at < offset + length) {
      var wanted = (int) Math.min(CHECKED_BYTES, offset + length - at);
      var bytes = log.read(services.output().logs(), at, wanted);
      if (bytes.length == 0) {
        throw new EOFException("the log is shorter than it was");
      }
      outlet.write(bytes);
      at += bytes.length;
    }
  }

  private Reply artifact(Call call, String sha256) throws IOException {
    var length = length(sha256);
    var blob =
        new Blob(
            length,
            "\"" + sha256 + "\"",
            (offset, wanted, outlet) -> {
              var whole = offset == 0 && wanted == length;
              Sink sink = whole ? new CheckedOutlet(outlet, sha256, length)::write : outlet::write;
              try (var file = open(sha256)) {
                copy(file, sha256, offset, wanted, sink);
              }
            });
    return blob.reply(call);
  }

  /** As long as it was when it was kept, also where its file was cut since. */
  private long length(String sha256) throws IOException {
    try (var file = open(sha256)) {
      return Math.max(file.size(), services.output().logs().artifactBytes(sha256));
    }
  }

  /** What a task wrote is compared with the record; of an upload nothing is recorded. */
  private void copy(FileChannel file, String sha256, long offset, long length, Sink sink)
      throws IOException {
    var at = offset;
    while (at < offset + length) {
      var wanted = (int) Math.min(CHECKED_BYTES, offset + length - at);
      var bytes = services.output().logs().readArtifact(sha256, at, wanted);
      if (bytes.isEmpty()) {
        copy(file, at, offset + length - at, sink);
        return;
      }
      if (bytes.get().length == 0) {
        throw cut(at);
      }
      sink.write(ByteBuffer.wrap(bytes.get()));
      at += bytes.get().length;
    }
  }

  private static ErrandException cut(long offset) {
    return new ErrandException(
        ErrorCode.ARTIFACT_DAMAGED,
        "the bytes of this artifact from " + offset + " on are missing on the disk");
  }

  private FileChannel open(String sha256) {
    return services
        .output()
        .artifacts()
        .open(sha256)
        .orElseThrow(
            () -> new ErrandException(ErrorCode.ARTIFACT_NOT_FOUND, "there is no such artifact"));
  }

  /** Takes the bytes of a file in their order. */
  private interface Sink {
    void write(ByteBuffer bytes) throws IOException;
  }

  private static void copy(FileChannel file, long offset, long length, Sink sink)
      throws IOException {
    var buffer = ByteBuffer.allocate((int) Math.min(CHUNK_BYTES, Math.max(1, length)));
    var at = offset;
    while (at < offset + length) {
      buffer.clear().limit((int) Math.min(buffer.capacity(), offset + length - at));
      if (file.read(buffer, at) < 0) {
        throw cut(at);
      }
      at += buffer.flip().remaining();
      sink.write(buffer);
    }
  }
}
