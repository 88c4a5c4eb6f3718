package dev.errand.host.redact;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The forms in which a secret value commonly appears in output. */
final class SecretForms {
  /** A shorter piece of an encoded value would also match ordinary text. */
  private static final int FORM_BYTES_MIN = 5;

  private static final int BITS_PER_DIGIT = 6;
  private static final HexFormat LOWER = HexFormat.of();
  private static final HexFormat UPPER = HexFormat.of().withUpperCase();

  /**
   * What different programs leave unchanged when they percent-encode: the first set by the
   * standard.
   */
  private static final List<String> UNRESERVED =
      List.of("-_.~", "-_.~/", "-_.~!*'()", "-_.~!*'();,/?:@&=+$#", "-_.*");

  /** Characters that some programs escape by number in JSON though it is not required. */
  private static final List<Escapes> ESCAPES =
      List.of(
          new Escapes("", false, LOWER),
          new Escapes("", true, LOWER),
          new Escapes("<>&", false, LOWER),
          new Escapes("\"<>&'+`", true, UPPER));

  private record Escapes(String characters, boolean beyondAscii, HexFormat hex) {
    boolean has(char character) {
      return character < ' '
          || characters.indexOf(character) >= 0
          || (beyondAscii && character > '~');
    }
  }

  private SecretForms() {}

  /**
   * As text with one character per byte, so that the forms can be compared; the value itself comes
   * first.
   */
  static Set<String> of(String value) {
    var forms = new LinkedHashSet<String>();
    add(forms, value);
    var lines = value.stripTrailing();
    if (!lines.equals(value)) {
      add(forms, lines);
    }
    forms.removeIf(String::isEmpty);
    return forms;
  }

  private static void add(Set<String> forms, String value) {
    var bytes = value.getBytes(UTF_8);
    forms.add(new String(bytes, ISO_8859_1));
    // As a terminal shows it.
    forms.add(latin(value.replace("\r\n", "\n").replace("\n", "\r\n")));
    var encoded = new LinkedHashSet<String>();
    base64(encoded, bytes);
    percent(encoded, bytes);
    json(encoded, value);
    encoded.stream().filter(it -> it.length() >= FORM_BYTES_MIN).forEach(forms::add);
  }

  /**
   * Alone, and inside a longer text that is encoded as a whole, where it starts at any of three
   * positions within a group: then only the digits that depend on nothing else count.
   */
  private static void base64(Set<String> forms, byte[] bytes) {
    for (var encoder : new Base64.Encoder[] {Base64.getEncoder(), Base64.getUrlEncoder()}) {
      forms.add(encoder.encodeToString(bytes));
      for (var before = 0; before < 3; before++) {
        var shifted = new byte[before + bytes.length];
        System.arraycopy(bytes, 0, shifted, before, bytes.length);
        var first = (before * Byte.SIZE + BITS_PER_DIGIT - 1) / BITS_PER_DIGIT;
        var end = shifted.length * Byte.SIZE / BITS_PER_DIGIT;
        if (first < end) {
          forms.add(encoder.encodeToString(shifted).substring(first, end));
        }
      }
    }
  }

  private static void percent(Set<String> forms, byte[] bytes) {
    for (var unreserved : UNRESERVED) {
      for (var hex : List.of(UPPER, LOWER)) {
        var text = percent(bytes, unreserved, hex);
        forms.add(text);
        forms.add(text.replace("%20", "+"));
      }
    }
  }

  private static String percent(byte[] bytes, String unreserved, HexFormat hex) {
    var text = new StringBuilder(bytes.length);
    for (var b : bytes) {
      var character = (char) (b & 0xff);
      var plain = character < 0x80 && Character.isLetterOrDigit(character);
      if (plain || unreserved.indexOf(character) >= 0) {
        text.append(character);
      } else {
        text.append('%').append(hex.toHexDigits(b));
      }
    }
    return text.toString();
  }

  /** In a JSON text: with and without escaped slashes. */
  private static void json(Set<String> forms, String value) {
    for (var escapes : ESCAPES) {
      var text = json(value, escapes);
      forms.add(latin(text));
      forms.add(latin(text.replace("/", "\\/")));
    }
  }

  private static String json(String value, Escapes escapes) {
    var text = new StringBuilder(value.length());
    for (var i = 0; i < value.length(); i++) {
      var character = value.charAt(i);
      switch (character) {
        case '\\' -> text.append("\\\\");
        case '\n' -> text.append("\\n");
        case '\r' -> text.append("\\r");
        case '\t' -> text.append("\\t");
        default -> {
          if (escapes.has(character)) {
            text.append("\\u").append(escapes.hex().toHexDigits(character));
          } else {
            text.append(character == '"' ? "\\\"" : String.valueOf(character));
          }
        }
      }
    }
    return text.toString();
  }

  private static String latin(String text) {
    return new String(text.getBytes(UTF_8), ISO_8859_1);
  }
}
