package dev.errand.daemon.surface.http;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.websocket.server.ServerWebSocketContainer;

/** Makes WebSockets of requests that have passed the authenticator. */
final class WebSockets {
  /** What is read and written at once; a longer message is handed on in parts. */
  private static final int FRAME_BYTES_MAX = 64 * 1024;

  /**
   * Clients are asked for a sign of life more often than this, so it only ends connections whose
   * client does not answer a goodbye.
   */
  private static final Duration IDLE_MAX = Duration.ofSeconds(60);

  private final ServerWebSocketContainer container;

  private WebSockets(ServerWebSocketContainer container) {
    this.container = container;
  }

  /** To be called before the server starts. */
  static WebSockets of(Server server) {
    var container = ServerWebSocketContainer.ensure(server);
    container.setMaxFrameSize(FRAME_BYTES_MAX);
    container.setIdleTimeout(IDLE_MAX);
    return new WebSockets(container);
  }

  /** Completes the callback, whatever becomes of it. */
  void upgrade(Request request, Response response, Callback callback, AttachSocket socket)
      throws IOException {
    var taken =
        container.upgrade(
            (_, upgrade, _) -> {
              // Compression would keep state for each client and hold back single keys.
              upgrade.setExtensions(List.of());
              return socket;
            },
            request,
            response,
            callback);
    if (!taken) {
      throw new IOException("the server did not take the upgrade");
    }
  }
}
