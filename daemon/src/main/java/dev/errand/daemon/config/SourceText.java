package dev.errand.daemon.config;

import java.util.List;

/** The text of a config file, in which the lines of its keys are found; the tree has none. */
final class SourceText {
  private final String file;
  private final List<String> lines;

  SourceText(String file, String text) {
    this.file = file;
    this.lines = text.lines().toList();
  }

  /** A table by its name; {@code place} counts those of one name from 1, where several may be. */
  record Table(String name, int place, boolean repeated) {
    static final Table ROOT = new Table("", 1, false);

    static Table of(String name) {
      return new Table(name, 1, false);
    }

    String path(String key) {
      return name.isEmpty() ? key : name + "." + key;
    }

    /** The path, in which each of several tables of one name has its own. */
    String full(String key) {
      return repeated ? name + "." + place + "." + key : path(key);
    }
  }

  String place(Table table, String key) {
    return "%s, line %d".formatted(file, line(table, key));
  }

  /** The line that sets this key in this table; for one that is missing, where its table begins. */
  int line(Table table, String key) {
    var current = "";
    var tables = 0;
    var begin = 0;
    for (var number = 1; number <= lines.size(); number++) {
      var line = lines.get(number - 1).strip();
      var header = line.startsWith("[");
      var path = header ? bare(line) : path(current, line);
      current = header ? path : current;
      tables += header && path.equals(table.name()) ? 1 : 0;
      var here = !table.repeated() || tables == table.place();
      if (here && path.equals(table.path(key))) {
        return number;
      }
      if (here && begin == 0 && path.equals(table.name())) {
        begin = number;
      }
    }
    return begin;
  }

  /** The path of the key that this line sets; empty where it sets none. */
  private static String path(String table, String line) {
    var equals = line.indexOf('=');
    var key = equals < 0 || line.startsWith("#") ? "" : bare(line.substring(0, equals));
    return key.isEmpty() || table.isEmpty() ? key : table + "." + key;
  }

  private static String bare(String text) {
    return text.replaceAll("#.*", "").replaceAll("[\\[\\]\\s\"']", "");
  }
}
