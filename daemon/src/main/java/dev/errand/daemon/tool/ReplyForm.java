package dev.errand.daemon.tool;

import dev.errand.wire.json.RequestFields;
import tools.jackson.databind.node.ObjectNode;

/**
 * How an answer is given: its budget in characters, of the text and of the structured answer each,
 * and whether the tools of the set for agents are listed to the caller.
 */
public record ReplyForm(int charsMax, boolean forAgents) {
  public static final String MAX_CHARS = "max_chars";
  public static final int CHARS_MIN = 1_024;
  public static final int CHARS_DEFAULT = 16_384;
  public static final int CHARS_MAX = 65_536;

  /** Kept free of output: for how a task stands, and for the calls that read on. */
  private static final int OTHER_CHARS = 2_048;

  /** The budget that a call asks for, which is taken out of its arguments. */
  static ReplyForm of(ObjectNode arguments, ReplyForm usual) {
    var given = arguments.remove(MAX_CHARS);
    if (given == null || given.isNull()) {
      return usual;
    }
    var fits = given.isIntegralNumber() && given.canConvertToInt();
    if (!fits || given.intValue() < CHARS_MIN || given.intValue() > CHARS_MAX) {
      throw RequestFields.invalid(
          "max_chars must be a whole number from " + CHARS_MIN + " to " + CHARS_MAX);
    }
    return new ReplyForm(given.intValue(), usual.forAgents());
  }

  /** How many characters of output an answer has room for. */
  public int outputChars() {
    return Math.max(charsMax / 2, charsMax - OTHER_CHARS);
  }
}
