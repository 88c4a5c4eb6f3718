package dev.errand.daemon.task;

import dev.errand.wire.json.RequestFields;
import java.util.List;
import java.util.Locale;

/** The body of a signal: its name, with or without {@code SIG}. */
public final class SignalBody {
  public static final String SIGNAL = "signal";
  public static final List<String> NAMES =
      List.of("INT", "QUIT", "TERM", "HUP", "KILL", "USR1", "USR2", "STOP", "CONT");

  private static final int CHARS_MAX = 16;

  private SignalBody() {}

  public static String read(RequestFields fields) {
    var upper = fields.requiredText(SIGNAL, CHARS_MAX).toUpperCase(Locale.ROOT);
    var name = upper.startsWith("SIG") ? upper.substring(3) : upper;
    if (!NAMES.contains(name)) {
      throw fields.refuse(SIGNAL, "one of " + String.join(", ", NAMES));
    }
    return name;
  }
}
