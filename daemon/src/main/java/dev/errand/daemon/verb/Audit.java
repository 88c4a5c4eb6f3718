package dev.errand.daemon.verb;

import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/**
 * Writes one line for each verb that changes something: the caller, its door, the verb, its target
 * and the outcome; and one for each request that a door refused. Fields of requests are never
 * written: they contain variables, tokens and input. Each part is one word, so that a name cannot
 * look like another line or an outcome.
 *
 * <p>It runs before every answer; another logging method would find its caller by a stack trace
 * each time.
 */
public final class Audit {
  private static final Logger LOG = Logger.getLogger("errand.audit");

  private Audit() {}

  static void controlled(Caller caller, String verb, String target, String outcome) {
    var by = Printable.word(caller.principal());
    var named = target.isEmpty() ? "" : " " + Printable.word(target);
    var came = Printable.word(outcome);
    write(Level.INFO, by + " " + caller.door() + " " + verb + named + " -> " + came);
  }

  /** A request that a door refused. */
  public static void refused(String door, String asked, int status) {
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
