package dev.errand.wire.client;

import dev.errand.wire.json.Json;
import dev.errand.wire.json.JsonFields;
import java.util.List;

/** The screen of a task's terminal; {@link #fields} has all other fields. */
public record TaskScreen(JsonFields fields) {

  /** The frame for which it stands. */
  public long seq() {
    return fields.number("seq");
  }

  /** How many bytes of the {@code pty} log are in it. */
  public long offset() {
    return fields.number("offset_bytes");
  }

  public int rows() {
    return (int) fields.number("rows");
  }

  public int cols() {
    return (int) fields.number("cols");
  }

  /** A text for each row, without the blanks at its end. */
  public List<String> lines() {
    return fields.texts("lines");
  }

  /** Counted from 0. */
  public int cursorRow() {
    return (int) fields.object("cursor").number("row");
  }

  /** Counted from 0. */
  public int cursorCol() {
    return (int) fields.object("cursor").number("col");
  }

  public boolean cursorVisible() {
    return fields.object("cursor").bool("visible", true);
  }

  public String title() {
    return fields.text("title", "");
  }

  public boolean alternate() {
    return fields.bool("alternate", false);
  }

  /** Whether it rests on bytes that are missing, so that it may be wrong. */
  public boolean approximate() {
    return fields.bool("approximate", false);
  }

  /** The JSON text of all of it. */
  public String text() {
    return Json.text(fields.node());
  }
}
