package dev.errand.wire.json;

import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;

/** The type and limits of a request field; other values are refused. */
public sealed interface FieldType {

  /** Any text up to a length. */
  record Text(int charsMax) implements FieldType {}

  /** A text that is measured as the kernel measures it: in UTF-8. */
  record LongText(int bytesMax) implements FieldType {}

  /** A text of a fixed form, which {@code allowed} describes. */
  record Name(Pattern form, int charsMax, String allowed) implements FieldType {
    Name(String form, int charsMax, String allowed) {
      this(Pattern.compile(form), charsMax, allowed);
    }
  }

  /** One of these words. */
  record Word(List<String> words) implements FieldType {
    public Word {
      words = List.copyOf(words);
    }

    Word(String... words) {
      this(List.of(words));
    }
  }

  /** One of these words, or true or false, which stand for two of them. */
  record WordOrFlag(List<String> words) implements FieldType {
    public WordOrFlag {
      words = List.copyOf(words);
    }
  }

  record Flag() implements FieldType {}

  /** A whole number. */
  record Whole(long min, long max) implements FieldType {}

  /** A time in seconds, to the millisecond. */
  record Seconds(Duration min, Duration max) implements FieldType {}

  /** How long a task may run, in seconds; the most is a setting, and each daemon has its own. */
  record Timeout(Duration min) implements FieldType {}

  /** A list of texts, at most this many. */
  record Texts(int countMax) implements FieldType {}

  /** Texts that are measured as the kernel measures them, all together. */
  record Arguments(int bytesMax) implements FieldType {}

  /** Texts by name, measured likewise. */
  record Variables(int countMax, int bytesMax) implements FieldType {}

  /** An object that has these fields and no others; its name is that of a component of OpenAPI. */
  record Form(String name, List<RequestField<?>> fields) implements FieldType {
    public Form {
      fields = List.copyOf(fields);
    }

    /** The names of its fields, in their order. */
    public List<String> names() {
      return fields.stream().map(RequestField::name).toList();
    }

    /** Its field of this name. */
    public RequestField<?> field(String name) {
      return fields.stream()
          .filter(it -> it.name().equals(name))
          .findFirst()
          .orElseThrow(() -> new IllegalArgumentException(this.name + " has no field " + name));
    }
  }

  /** An object that has these fields, or others where something else decides which. */
  record OpenForm(Form usual) implements FieldType {}

  /** A list of objects of one form, at most this many. */
  record Forms(Form form, int countMax) implements FieldType {}
}
