package dev.errand.cli.attach;

import dev.errand.wire.terminal.KeyNames;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;

/**
 * The keys for this program instead of the task: a prefix key and a command key. Keeps its state
 * between two reads. Not thread-safe.
 */
public final class DetachKeys {
  public static final String DEFAULT = "C-] d";

  private static final byte HELP = '?';

  private final String text;
  private final byte call;
  private final byte detach;
  private boolean called;

  private DetachKeys(String text, byte call, byte detach) {
    this.text = text;
    this.call = call;
    this.detach = detach;
  }

  /** Parses two key names such as {@code C-] d}; an invalid one is an exception. */
  public static DetachKeys of(String text) {
    var names = Arrays.asList(text.strip().split("\\s+"));
    if (names.size() != 2) {
      throw wrong(text);
    }
    return new DetachKeys(
        String.join(" ", names), single(names.getFirst(), text), single(names.getLast(), text));
  }

  private static byte single(String name, String text) {
    var bytes = KeyNames.bytes(name).orElseThrow(() -> wrong(text));
    if (bytes.length != 1) {
      throw wrong(text);
    }
    return bytes[0];
  }

  private static IllegalArgumentException wrong(String text) {
    return new IllegalArgumentException(
        "invalid detach keys; use two keys that send one byte each, such as '%s' or 'C-p q', not '%s'"
            .formatted(DEFAULT, text));
  }

  /** What the keys that were read mean. */
  @SuppressWarnings("ArrayRecordComponent") // Sent on, never compared.
  record Typed(byte[] forTask, boolean detach, boolean help) {}

  Typed take(byte[] bytes, int count) {
    var forTask = new ByteArrayOutputStream(count);
    var help = false;
    for (var i = 0; i < count; i++) {
      var key = bytes[i];
      if (!called) {
        called = key == call;
        if (!called) {
          forTask.write(key);
        }
        continue;
      }
      called = false;
      if (key == detach) {
        return new Typed(forTask.toByteArray(), true, help);
      }
      if (key == HELP) {
        help = true;
      } else {
        // The first key twice is that key; anything else goes to the task.
        forTask.write(call);
        if (key != call) {
          forTask.write(key);
        }
      }
    }
    return new Typed(forTask.toByteArray(), false, help);
  }

  String text() {
    return text;
  }

  String help() {
    var first = text.substring(0, text.indexOf(' '));
    return "[errand: %s detaches, %s %s sends %s, %s ? shows this]"
        .formatted(text, first, first, first, first);
  }
}
