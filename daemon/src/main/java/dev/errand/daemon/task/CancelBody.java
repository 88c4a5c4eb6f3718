package dev.errand.daemon.task;

import dev.errand.wire.json.RequestFields;

/** The body of a cancel: why, if someone says so. */
public final class CancelBody {
  public static final String REASON = "reason";
  private static final int CHARS_MAX = 1_000;

  private CancelBody() {}

  public static String read(RequestFields fields) {
    var given = fields.text(REASON, CHARS_MAX);
    return given == null || given.isBlank() ? "cancel" : given;
  }
}
