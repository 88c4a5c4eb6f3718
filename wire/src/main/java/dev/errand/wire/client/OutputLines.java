package dev.errand.wire.client;

import dev.errand.wire.json.JsonFields;
import java.util.List;

/** Lines of a log as plain text; {@link #fields} has all that is not named here. */
public record OutputLines(JsonFields fields) {

  /** The long ones are cut, with a mark. */
  public List<String> lines() {
    return fields.texts("lines");
  }

  /** The number of the first of them, from 1. */
  public long firstLine() {
    return fields.number("first_line");
  }

  /** Where to read on: a last line that is not complete is read again. */
  public long nextLine() {
    return fields.number("next_line");
  }

  /** Whether the last of them is not complete yet. */
  public boolean isPartial() {
    return fields.bool("partial", false);
  }

  /** Whether the task was over when they were read. */
  public boolean isEnded() {
    return fields.bool("ended", false);
  }
}
