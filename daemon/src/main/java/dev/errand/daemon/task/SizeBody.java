package dev.errand.daemon.task;

import dev.errand.core.task.TerminalSize;
import dev.errand.wire.json.RequestFields;
import java.util.List;

/** The body of a resize: both sides of a terminal. */
public final class SizeBody {
  public static final List<String> FIELDS = List.of("rows", "cols");

  private SizeBody() {}

  public static TerminalSize read(RequestFields fields) {
    return new TerminalSize(side(fields, "rows"), side(fields, "cols"));
  }

  private static int side(RequestFields fields, String name) {
    var side = fields.integer(name, TerminalSize.MIN, TerminalSize.MAX);
    if (side == null) {
      throw RequestFields.invalid("the field " + name + " is missing; a size has rows and cols");
    }
    return side.intValue();
  }
}
