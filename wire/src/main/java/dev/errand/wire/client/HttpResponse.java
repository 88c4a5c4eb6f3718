package dev.errand.wire.client;

import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The head of an answer, and its body as it arrives; to be closed when done. */
record HttpResponse(
    int status, Map<String, String> headers, InputStream body, HttpConnection connection)
    implements AutoCloseable {

  boolean succeeded() {
    return status >= 200 && status < 300;
  }

  @Nullable String header(String name) {
    return headers.get(name.toLowerCase(Locale.ROOT));
  }

  /** The whole body; one of more than {@code bytesMax} is refused. */
  byte[] readBody(int bytesMax) throws IOException {
    var bytes = body.readNBytes(bytesMax + 1);
    if (bytes.length > bytesMax) {
      throw new BadAnswerException("the answer has more than " + bytesMax + " bytes");
    }
    return bytes;
  }

  /** Gives the connection back if the body was read to its end, and drops it otherwise. */
  @Override
  public void close() {
    connection.done();
  }
}
