package dev.errand.daemon.config;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The text of a config file, in which the lines of its keys are found; the tree has none. */
final class SourceText {
  /** More than any settings need; what is larger is something else. */
  private static final int BYTES_MAX = 1 << 20;

  private final String file;
  private final String text;
  private final List<String> lines;

  SourceText(String file, String text) {
    this.file = file;
    this.text = text;
    this.lines = text.lines().toList();
  }

  /**
   * All that there is to read; what is no text, or too long for one, is refused under that name.
   */
  static SourceText read(String name, InputStream in) throws IOException {
    var bytes = in.readNBytes(BYTES_MAX + 1);
    if (bytes.length > BYTES_MAX) {
      throw ConfigFile.refused(name + " is longer than 1 MiB, so it does not hold settings");
    }
    var rest = ByteBuffer.wrap(bytes);
    var text = CharBuffer.allocate(bytes.length);
    if (StandardCharsets.UTF_8.newDecoder().decode(rest, text, true).isError()) {
      var before = new String(bytes, 0, rest.position(), StandardCharsets.ISO_8859_1);
      var line = 1 + before.chars().filter(it -> it == '\n').count();
      throw ConfigFile.refused("%s, line %d: this is not UTF-8 text".formatted(name, line));
    }
    return new SourceText(name, text.flip().toString());
  }

  String name() {
    return file;
  }

  String text() {
    return text;
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

  /**
   * The line that sets this key in this table; for one that is missing or stands in a value of
   * several lines, where its table begins, or the nearest around it.
   */
  int line(Table table, String key) {
    var wanted = bare(table.path(key));
    var around = bare(table.name());
    var current = "";
    var tables = 0;
    var begin = 0;
    for (var number = 1; number <= lines.size(); number++) {
      var line = lines.get(number - 1).strip();
      var header = line.startsWith("[");
      var path = header ? bare(line) : path(current, line);
      current = header ? path : current;
      tables += header && path.equals(around) ? 1 : 0;
      var here = !table.repeated() || tables == table.place();
      if (here && path.equals(wanted)) {
        return number;
      }
      if (here && begin == 0 && path.equals(around)) {
        begin = number;
      }
    }
    return begin > 0 && !around.isEmpty() ? begin : line(table.name());
  }

  /** The line that begins the table of that name; where none does, the one around it. */
  private int line(String name) {
    var dot = name.lastIndexOf('.');
    if (name.isEmpty()) {
      return 1;
    }
    return line(Table.of(dot < 0 ? "" : name.substring(0, dot)), name.substring(dot + 1));
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
