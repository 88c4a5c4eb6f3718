package dev.errand.bench;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.SynchronousQueue;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.websocket.api.Callback;
import org.eclipse.jetty.websocket.api.Session;
import org.eclipse.jetty.websocket.server.ServerWebSocketContainer;
import org.eclipse.jetty.websocket.server.WebSocketUpgradeHandler;
import org.jspecify.annotations.Nullable;

/** A WebSocket on loopback that says each message again, with nothing behind it. */
public final class SocketEcho {
  /** Held, since a level that nobody holds is forgotten. */
  private static final Logger JETTY = Logger.getLogger("org.eclipse.jetty");

  private SocketEcho() {}

  /** Called by the server, which looks its methods up. */
  public static final class Listener implements Session.Listener.AutoDemanding {
    private @Nullable Session session;

    @Override
    public void onWebSocketOpen(Session opened) {
      session = opened;
    }

    @Override
    public void onWebSocketError(Throwable cause) {
      // The client leaves without a word when it is done.
    }

    @Override
    public void onWebSocketText(String message) {
      var open = session;
      if (open != null) {
        open.sendText(message, Callback.NOOP);
      }
    }
  }

  static Percentiles measure(int warmUp, int count) throws Exception {
    JETTY.setLevel(Level.WARNING);
    var server = new Server();
    var connector = new ServerConnector(server, 1, 1);
    connector.setHost("127.0.0.1");
    server.addConnector(connector);
    server.setHandler(WebSocketUpgradeHandler.from(server, SocketEcho::map));
    server.start();
    try {
      return roundTrips(URI.create("ws://127.0.0.1:" + connector.getLocalPort()), warmUp, count);
    } finally {
      server.stop();
    }
  }

  private static void map(ServerWebSocketContainer container) {
    container.addMapping("/*", (_, _, _) -> new Listener());
  }

  private static Percentiles roundTrips(URI address, int warmUp, int count)
      throws IOException, InterruptedException {
    var echoes = new SynchronousQueue<CharSequence>();
    try (var client = HttpClient.newHttpClient()) {
      var socket = client.newWebSocketBuilder().buildAsync(address, new Receiver(echoes)).join();
      var times = new Percentiles();
      for (var i = 0; i < warmUp + count; i++) {
        var begin = System.nanoTime();
        socket.sendText("{\"type\":\"stdin\",\"text\":\"x\"}", true).join();
        var _ = echoes.take();
        if (i >= warmUp) {
          times.add(System.nanoTime() - begin);
        }
      }
      socket.abort();
      return times;
    }
  }

  private record Receiver(SynchronousQueue<CharSequence> echoes) implements WebSocket.Listener {
    @Override
    public @Nullable CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
      try {
        echoes.put(data);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      socket.request(1);
      return null;
    }
  }
}
