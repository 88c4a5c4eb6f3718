package dev.errand.daemon.verb;

import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** All that an answer says, in one text: its parts, its bytes, and what a stream has by now. */
final class Shown {
  /** More steps than what is there when a stream begins. */
  private static final int STEPS_MAX = 1_000;

  private Shown() {}

  static String text(@Nullable Object answer) throws InterruptedException {
    return switch (answer) {
      case null -> "";
      case byte[] it -> new String(it, StandardCharsets.UTF_8);
      case LiveStream<?> it -> stream(it);
      case Optional<?> it -> text(it.orElse(null));
      case Map<?, ?> it -> text(it.keySet()) + " " + text(it.values());
      // A path is made of paths.
      case Path it -> it.toString();
      case Iterable<?> it -> all(it);
      case ShownTask it -> text(it.view());
      case Record it -> parts(it);
      default -> answer.toString();
    };
  }

  private static String all(Iterable<?> items) throws InterruptedException {
    var text = new StringBuilder();
    for (var item : items) {
      text.append(text(item)).append(' ');
    }
    return text.toString();
  }

  private static String parts(Record whole) throws InterruptedException {
    var text = new StringBuilder();
    for (var part : whole.getClass().getRecordComponents()) {
      text.append(text(value(whole, part))).append(' ');
    }
    return text.toString();
  }

  private static @Nullable Object value(Record whole, RecordComponent part) {
    try {
      var accessor = part.getAccessor();
      accessor.setAccessible(true);
      return accessor.invoke(whole);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("a part of an answer cannot be read: " + part, e);
    }
  }

  private static String stream(LiveStream<?> stream) throws InterruptedException {
    try (stream) {
      var text = new StringBuilder();
      for (var i = 0; i < STEPS_MAX; i++) {
        var step = stream.next(Duration.ZERO);
        if (step instanceof LiveStream.Step.Quiet<?> || step instanceof LiveStream.Step.Ended<?>) {
          break;
        }
        text.append(text(step)).append(' ');
      }
      return text.toString();
    }
  }
}
