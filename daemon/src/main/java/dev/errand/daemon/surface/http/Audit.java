package dev.errand.daemon.surface.http;

import dev.errand.daemon.verb.Printable;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.Request;

/**
 * Writes down who was refused and who changed what. Never headers, queries, bodies: they hold
 * tokens, variables and what is typed.
 *
 * <p>It stands before every answer, and the other way to the log finds out by a stack trace who
 * called it each time.
 */
final class Audit {
  private static final Logger LOG = Logger.getLogger("errand.audit");

  private Audit() {}

  static void controlled(String who, String method, String path, int status) {
    write(Level.INFO, who + " " + method + " " + Printable.of(path) + " -> " + status);
  }

  static void refused(Request request, int status) {
    var connector = request.getConnectionMetaData().getConnector();
    var asked = request.getMethod() + " " + Dispatcher.path(request);
    refused(connector, asked, status);
  }

  /** The same of what did not become a request. */
  static void refused(Connector connector, String asked, int status) {
    var door = UnixListener.isDoor(connector) ? "unix" : "tcp";
    write(Level.WARNING, "refused: " + door + " " + Printable.of(asked) + " -> " + status);
  }

  private static void write(Level level, String text) {
    if (LOG.isLoggable(level)) {
      var line = new LogRecord(level, text);
      line.setLoggerName(LOG.getName());
      LOG.log(line);
    }
  }
}
