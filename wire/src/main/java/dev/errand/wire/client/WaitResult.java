package dev.errand.wire.client;

import dev.errand.core.task.LogStream;
import dev.errand.wire.json.JsonFields;
import org.jspecify.annotations.Nullable;

/** The result of a wait: the task's status, and the condition that was met. */
public record WaitResult(TaskStatus status) {

  /** The condition that was met; absent on timeout or if the task was over first. */
  public @Nullable Held held() {
    return status.fields().has("held") ? new Held(status.fields().object("held")) : null;
  }

  public boolean timedOut() {
    return status.fields().bool("timed_out", false);
  }

  /** Continues the wait where this one stopped. */
  Until goOn(Until until) {
    var next = until;
    var searched = status.fields().object("searched_to");
    for (var stream : LogStream.values()) {
      if (searched.has(stream.word())) {
        next = next.from(stream, searched.number(stream.word()));
      }
    }
    return next;
  }

  /** A condition that was met; {@link #fields} has all other fields. */
  public record Held(JsonFields fields) {

    /**
     * {@code exit}, {@code text}, {@code screen}, {@code idle_ms}, {@code port}, {@code prompt}.
     */
    public String kind() {
      return fields.text("kind");
    }

    /** Its index among the conditions of the wait. */
    public int index() {
      return Math.toIntExact(fields.number("index", 0));
    }

    /** The frame that made it true or, where none did, the last one then. */
    public long seq() {
      return fields.number("seq", -1);
    }

    /** The text around what was found; absent where no text was. */
    public @Nullable String snippet() {
      return fields.textOrNull("snippet");
    }
  }
}
