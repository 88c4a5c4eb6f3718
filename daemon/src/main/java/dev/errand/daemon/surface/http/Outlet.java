package dev.errand.daemon.surface.http;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Response;

/** Where a streamed body goes. A write that nobody takes for the idle time fails. */
final class Outlet {
  private final Response response;

  Outlet(Response response) {
    this.response = response;
  }

  void write(ByteBuffer bytes) throws IOException {
    Content.Sink.write(response, false, bytes);
  }

  void write(byte[] bytes) throws IOException {
    write(ByteBuffer.wrap(bytes));
  }
}
