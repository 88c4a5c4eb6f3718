package dev.errand.daemon.verb;

import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/**
 * Writes down who did what, one line for each verb that changes something: the caller, its door,
 * the verb, what it names, and what came of it; and what was refused at a door. Never fields of
 * requests: they hold variables, tokens and what is typed. Each part is one word, so that a name
 * cannot be taken for a line of its own or for an outcome.
 *
 * <p>It stands before every answer, and the other way to the log finds out by a stack trace who
 * called it each time.
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

  /** What did not get past a door. */
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
