package dev.errand.daemon.surface.http;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.BooleanSupplier;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Response;

/**
 * Where a streamed body is written. A write that the client does not read within the idle limit
 * fails.
 */
final class BodyOutput {
  private final Response response;
  private final BooleanSupplier open;

  BodyOutput(Response response) {
    this(response, () -> true);
  }

  private BodyOutput(Response response, BooleanSupplier open) {
    this.response = response;
    this.open = open;
  }

  /** The same, while this condition holds: a reader may lose its right while it reads. */
  BodyOutput as(BooleanSupplier admitted) {
    return new BodyOutput(response, admitted);
  }

  void write(ByteBuffer bytes) throws IOException {
    if (!open.getAsBoolean()) {
      throw new IOException("the reader's token was revoked");
    }
    Content.Sink.write(response, false, bytes);
  }

  void write(byte[] bytes) throws IOException {
    write(ByteBuffer.wrap(bytes));
  }
}
