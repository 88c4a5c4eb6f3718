package dev.errand.wire.client;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.wire.http.Headers;
import dev.errand.wire.http.Routes;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.LongConsumer;

/** Stores and reads artifacts: immutable content named by its SHA-256. */
public final class ArtifactClient {
  private static final int PARTIAL_CONTENT = 206;
  private static final int COPY_BYTES = 64 * 1024;

  private final Transport transport;

  ArtifactClient(Transport transport) {
    this.transport = transport;
  }

  /** Stores the bytes; returns their id. */
  public String put(byte[] bytes) {
    return put(HttpRequest.Body.of(bytes));
  }

  /** Stores the content of a file, which must not change meanwhile; returns its id. */
  public String put(Path file) {
    return put(file, _ -> {});
  }

  /** The same, reporting the bytes sent so far; from 0 again after a lost connection. */
  public String put(Path file, LongConsumer progress) {
    return put(
        new HttpRequest.Body() {
          @Override
          public long length() throws IOException {
            return Files.size(file);
          }

          @Override
          public void writeTo(OutputStream out) throws IOException {
            var sent = 0L;
            var buffer = new byte[COPY_BYTES];
            try (var in = Files.newInputStream(file)) {
              for (var n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                out.write(buffer, 0, n);
                sent += n;
                progress.accept(sent);
              }
            }
          }
        });
  }

  private String put(HttpRequest.Body body) {
    var request = HttpRequest.of("PUT", Routes.ARTIFACTS).body(Headers.OCTET_STREAM, body);
    return transport
        .call(request.header(Headers.IDEMPOTENCY_KEY, IdempotencyKeys.next()))
        .json()
        .text("artifact_id");
  }

  /** How many bytes it has. */
  public long size(String artifactId) {
    var answer = transport.call(HttpRequest.of("HEAD", Routes.artifact(artifactId)));
    return answer.number(Headers.CONTENT_LENGTH, 0);
  }

  /** At most {@code length} bytes from an offset; empty after the end. */
  public byte[] read(String artifactId, long offset, int length) {
    if (length == 0) {
      return new byte[0];
    }
    var request =
        HttpRequest.of("GET", Routes.artifact(artifactId))
            .header(Headers.RANGE, "bytes=" + offset + "-" + (offset + length - 1));
    try {
      return transport.call(request).body();
    } catch (ErrandException e) {
      if (e.code() == ErrorCode.RANGE_NOT_SATISFIABLE) {
        return new byte[0];
      }
      throw e;
    }
  }

  /** Copies all of it, resuming after a lost connection; returns the number of bytes. */
  public long copy(String artifactId, OutputStream out) {
    var size = size(artifactId);
    var copy = new Copy(artifactId, size, out);
    return size == 0 ? 0 : transport.persist(copy::goOn);
  }

  /** A running copy, which can use several connections. */
  private final class Copy {
    private final String artifactId;
    private final long size;
    private final OutputStream out;
    private long copied;

    Copy(String artifactId, long size, OutputStream out) {
      this.artifactId = artifactId;
      this.size = size;
      this.out = out;
    }

    long goOn() throws IOException {
      var request =
          HttpRequest.of("GET", Routes.artifact(artifactId))
              .header(Headers.RANGE, "bytes=" + copied + "-");
      try (var response = transport.open(request, transport.silenceMax())) {
        if (copied > 0 && response.status() != PARTIAL_CONTENT) {
          throw new BadAnswerException("the rest was asked for and all of it came");
        }
        var buffer = new byte[COPY_BYTES];
        for (var n = response.body().read(buffer); n >= 0; n = response.body().read(buffer)) {
          write(buffer, n);
        }
      }
      if (copied != size) {
        throw new BadAnswerException("got " + copied + " bytes, expected " + size);
      }
      return copied;
    }

    /** A failed write here is not a lost connection: a retry would write twice. */
    private void write(byte[] buffer, int count) {
      try {
        out.write(buffer, 0, count);
        copied += count;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
