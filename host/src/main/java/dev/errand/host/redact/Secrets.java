package dev.errand.host.redact;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The secrets of one task, by name. */
public final class Secrets {
  public static final Secrets NONE = new Secrets(Map.of());

  /** Shorter values stand in any output by chance. */
  public static final int VALUE_BYTES_MIN = 4;

  private final @Nullable Patterns patterns;

  private Secrets(Map<String, Set<String>> forms) {
    this.patterns = forms.isEmpty() ? null : new Patterns(forms);
  }

  /** Values too short to be told from chance are left out. */
  public static Secrets of(Map<String, String> values) {
    var forms = new TreeMap<String, Set<String>>();
    values.forEach((name, value) -> {
      if (value.getBytes(StandardCharsets.UTF_8).length >= VALUE_BYTES_MIN) {
        forms.put(name, SecretForms.of(value));
      }
    });
    return forms.isEmpty() ? NONE : new Secrets(forms);
  }

  /** A redactor for one stream; null where there is nothing to take out. */
  public @Nullable Redactor redactor() {
    return patterns == null ? null : new Redactor(patterns);
  }

  /** All of it at once. */
  public byte[] redact(byte[] bytes) {
    var redactor = redactor();
    if (redactor == null) {
      return bytes;
    }
    var begun = redactor.push(bytes, bytes.length);
    var rest = redactor.release();
    var all = Arrays.copyOf(begun, begun.length + rest.length);
    System.arraycopy(rest, 0, all, begun.length, rest.length);
    return all;
  }

  public String redact(String text) {
    return patterns == null
        ? text
        : new String(redact(text.getBytes(StandardCharsets.UTF_8)), StandardCharsets.UTF_8);
  }

  /** Nothing of them. */
  @Override
  public String toString() {
    return "Secrets";
  }
}
