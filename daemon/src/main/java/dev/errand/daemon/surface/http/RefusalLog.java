package dev.errand.daemon.surface.http;

import dev.errand.daemon.verb.Audit;
import dev.errand.daemon.verb.Printable;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.Request;

/**
 * Writes into the audit which requests were refused at the door. Never headers, queries, bodies:
 * they hold tokens, variables and what is typed. What is let in is written down by its verb.
 */
final class RefusalLog {
  private RefusalLog() {}

  static void refused(Request request, int status) {
    var connector = request.getConnectionMetaData().getConnector();
    var asked =
        Printable.word(request.getMethod()) + " " + Printable.word(Dispatcher.path(request));
    refused(connector, asked, status);
  }

  /** The same of what did not become a request. */
  static void refused(Connector connector, String asked, int status) {
    var door = UnixListener.isDoor(connector) ? "unix" : "tcp";
    Audit.refused(door, asked, status);
  }
}
