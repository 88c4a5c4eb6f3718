package dev.errand.daemon.config;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The text of a config file, to find the lines of keys, which the parsed tree does not have. */
final class SourceText {
  /** The limit of a settings file. */
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
   * Reads the whole input; refuses input that is too long or not UTF-8, with that name in the
   * error.
   */
  static SourceText read(String name, InputStream in) throws IOException {
    var bytes = in.readNBytes(BYTES_MAX + 1);
    if (bytes.length > BYTES_MAX) {
      throw ConfigFile.refused(name + " is longer than 1 MiB; settings must be shorter");
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

  /** A table by its name; {@code place} is its index from 1 among several of one name. */
  record Table(String name, int place, boolean repeated) {
    static final Table ROOT = new Table("", 1, false);

    static Table of(String name) {
      return new Table(name, 1, false);
    }

    String path(String key) {
      return name.isEmpty() ? key : name + "." + key;
    }

    /** The path, with the index of repeated tables. */
    String full(String key) {
      return repeated ? name + "." + place + "." + key : path(key);
    }
  }

  String place(Table table, String key) {
    return "%s, line %d".formatted(file, line(table, key));
  }

  /**
   * The line of this key in this table; if there is none, the line of its table or of the nearest
   * enclosing table.
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

  /** The line of the table of that name; if there is none, that of the enclosing table. */
  private int line(String name) {
    var dot = name.lastIndexOf('.');
    if (name.isEmpty()) {
      return 1;
    }
    return line(Table.of(dot < 0 ? "" : name.substring(0, dot)), name.substring(dot + 1));
  }

  /** The path of the key that this line sets; empty if it sets none. */
  private static String path(String table, String line) {
    var equals = line.indexOf('=');
    var key = equals < 0 || line.startsWith("#") ? "" : bare(line.substring(0, equals));
    return key.isEmpty() || table.isEmpty() ? key : table + "." + key;
  }

  private static String bare(String text) {
    return text.replaceAll("#.*", "").replaceAll("[\\[\\]\\s\"']", "");
  }
}
