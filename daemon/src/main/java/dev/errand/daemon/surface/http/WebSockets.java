package dev.errand.daemon.surface.http;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.websocket.server.ServerWebSocketContainer;

/** Upgrades authenticated requests to WebSockets. */
final class WebSockets {
  /** The size of reads and writes; a longer message is passed on in parts. */
  private static final int FRAME_BYTES_MAX = 64 * 1024;

  /**
   * Pings are sent more often than this, so it only closes connections whose client does not answer
   * a close frame.
   */
  private static final Duration IDLE_MAX = Duration.ofSeconds(60);

  private final ServerWebSocketContainer container;

  private WebSockets(ServerWebSocketContainer container) {
    this.container = container;
  }

  /** Must be called before the server starts. */
  static WebSockets of(Server server) {
    var container = ServerWebSocketContainer.ensure(server);
    container.setMaxFrameSize(FRAME_BYTES_MAX);
    container.setIdleTimeout(IDLE_MAX);
    return new WebSockets(container);
  }

  /** Completes the callback in every case. */
  void upgrade(Request request, Response response, Callback callback, AttachSocket socket)
      throws IOException {
    var taken =
        container.upgrade(
            (_, upgrade, _) -> {
              // Compression would need state for each client and delay single keys.
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
