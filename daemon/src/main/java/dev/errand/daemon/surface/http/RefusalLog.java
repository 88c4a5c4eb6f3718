package dev.errand.daemon.surface.http;

import dev.errand.daemon.verb.Audit;
import dev.errand.daemon.verb.Printable;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.Request;

/**
 * Writes requests that were refused at the door to the audit. Headers, queries and bodies are never
 * written: they contain tokens, variables and input. An accepted request is written by its verb.
 */
final class RefusalLog {
  private RefusalLog() {}

  static void refused(Request request, int status) {
    var connector = request.getConnectionMetaData().getConnector();
    var asked =
        Printable.word(request.getMethod()) + " " + Printable.word(Dispatcher.path(request));
    refused(connector, asked, status);
  }

  /** The same for bytes that did not become a request. */
  static void refused(Connector connector, String asked, int status) {
    var door = UnixListener.isDoor(connector) ? "unix" : "tcp";
    Audit.refused(door, asked, status);
  }
}
