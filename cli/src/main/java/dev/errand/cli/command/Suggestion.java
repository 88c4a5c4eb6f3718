package dev.errand.cli.command;

import java.util.Comparator;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Suggests a command for a misspelled one. */
final class Suggestion {
  private static final int DISTANCE_MAX = 2;

  /** Names of the same commands in other programs. */
  private static final Map<String, String> OTHER_NAMES =
      Map.ofEntries(
          Map.entry("list", "ls"),
          Map.entry("ps", "ls"),
          Map.entry("show", "status"),
          Map.entry("info", "status"),
          Map.entry("inspect", "status"),
          Map.entry("log", "logs"),
          Map.entry("follow", "logs"),
          Map.entry("tail", "logs"),
          Map.entry("kill", "cancel"),
          Map.entry("exec", "run"),
          Map.entry("add", "spawn"),
          Map.entry("stdin", "send"),
          Map.entry("join", "wait"),
          Map.entry("remove", "rm"),
          Map.entry("delete", "rm"),
          Map.entry("prune", "gc"),
          Map.entry("clean", "gc"),
          Map.entry("settings", "config"),
          Map.entry("top", "watch"),
          Map.entry("check", "doctor"));

  private Suggestion() {}

  /** The end of the error message. */
  static String hint(String typed) {
    var meant = meant(typed);
    return meant == null ? "; see: errand help" : "; did you mean errand " + meant + "?";
  }

  static @Nullable String meant(String typed) {
    var known = OTHER_NAMES.get(typed);
    if (known != null) {
      return known;
    }
    return CliCommands.names().stream()
        .filter(it -> distance(it, typed) <= Math.min(DISTANCE_MAX, it.length() - 1))
        .min(Comparator.comparingInt(it -> distance(it, typed)))
        .orElse(null);
  }

  /** The edit distance of two words. */
  private static int distance(String a, String b) {
    var row = new int[b.length() + 1];
    for (var j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (var i = 1; i <= a.length(); i++) {
      var diagonal = row[0];
      row[0] = i;
      for (var j = 1; j <= b.length(); j++) {
        var above = row[j];
        var changed = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        row[j] = Math.min(changed, 1 + Math.min(above, row[j - 1]));
        diagonal = above;
      }
    }
    return row[b.length()];
  }
}
