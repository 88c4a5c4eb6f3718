package dev.errand.host.redact;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The secrets of one task, by name. */
public final class Secrets {
  public static final Secrets NONE = new Secrets(Map.of());

  /** Shorter values appear in any output by chance. */
  public static final int VALUE_BYTES_MIN = 4;

  /**
   * The maximum length of all forms of one task's secrets together; beyond it the rarer forms are
   * left out.
   */
  private static final int CHARS_MAX = 1 << 20;

  private final @Nullable Patterns patterns;
  private final int chars;

  private Secrets(Map<String, Set<String>> forms) {
    this.patterns = forms.isEmpty() ? null : new Patterns(forms);
    this.chars = forms.values().stream().mapToInt(Secrets::chars).sum();
  }

  private static int chars(Set<String> forms) {
    return forms.stream().mapToInt(String::length).sum();
  }

  /** Values that are too short are left out. */
  public static Secrets of(Map<String, String> values) {
    var all = new TreeMap<String, Deque<String>>();
    values.forEach((name, value) -> {
      if (value.getBytes(StandardCharsets.UTF_8).length >= VALUE_BYTES_MIN) {
        all.put(name, new ArrayDeque<>(SecretForms.of(value)));
      }
    });
    return all.isEmpty() ? NONE : new Secrets(bounded(all));
  }

  /** In turns, so that each value has its most common forms, the value itself first. */
  private static Map<String, Set<String>> bounded(Map<String, Deque<String>> all) {
    var forms = new TreeMap<String, Set<String>>();
    var left = CHARS_MAX;
    while (!all.values().stream().allMatch(Deque::isEmpty)) {
      for (var it : all.entrySet()) {
        var form = it.getValue().poll();
        var chosen = forms.computeIfAbsent(it.getKey(), _ -> new LinkedHashSet<>());
        if (form != null && form.length() <= left && chosen.add(form)) {
          left -= form.length();
        }
      }
    }
    return forms;
  }

  /** The memory that they use, in characters of their forms. */
  int chars() {
    return chars;
  }

  /** A redactor for one stream; null if there is nothing to remove. */
  public @Nullable Redactor redactor() {
    return patterns == null ? null : new Redactor(patterns);
  }

  /** Redacts a complete text. */
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

  /** Prints nothing of them. */
  @Override
  public String toString() {
    return "Secrets";
  }
}
