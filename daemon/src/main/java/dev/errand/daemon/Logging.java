package dev.errand.daemon;

import dev.errand.host.StderrLog;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.logging.ConsoleHandler;
import java.util.logging.Formatter;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/** One line per message on standard error: time, level, where, what. */
final class Logging {

  /** Kept in a field, because the logging system forgets the levels of unreferenced loggers. */
  private static final Logger JETTY = Logger.getLogger("org.eclipse.jetty");

  private Logging() {}

  /** {@code ownLog}: the file of standard error if the daemon runs in the background. */
  static void toStandardError(Path ownLog) {
    var root = Logger.getLogger("");
    for (var handler : root.getHandlers()) {
      root.removeHandler(handler);
    }
    StderrLog.takeStandardError(ownLog);
    var handler = new ConsoleHandler();
    handler.setFormatter(new OneLine());
    root.addHandler(handler);
    // Its warnings about invalid requests repeat their headers, which may contain anything.
    JETTY.setLevel(Level.SEVERE);
  }

  private static final class OneLine extends Formatter {
    @Override
    public String format(LogRecord record) {
      var name = record.getLoggerName() == null ? "" : record.getLoggerName();
      var where = name.substring(name.lastIndexOf('.') + 1);
      var time = Instant.ofEpochMilli(record.getMillis()).truncatedTo(ChronoUnit.MILLIS);
      var what = formatMessage(record) + cause(record.getThrown());
      return time + " " + record.getLevel() + " " + where + ": " + what + "\n";
    }

    private static String cause(@Nullable Throwable thrown) {
      if (thrown == null) {
        return "";
      }
      var text = new java.io.StringWriter();
      thrown.printStackTrace(new java.io.PrintWriter(text));
      return "\n" + text.toString().stripTrailing();
    }
  }
}
