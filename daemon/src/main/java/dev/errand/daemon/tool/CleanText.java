package dev.errand.daemon.tool;

import java.util.regex.Pattern;

/**
 * Text of programs made fit for an agent to read: without the sequences that steer a terminal, and
 * without other control characters.
 */
public final class CleanText {

  /** CSI, OSC, DCS and the like up to their ends, and two-character sequences. */
  private static final Pattern SEQUENCES =
      Pattern.compile(
          "\u001b\\[[0-?]*[ -/]*[@-~]"
              + "|\u001b[\\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\\\)?"
              + "|\u001b[ -/]*[0-~]");

  private CleanText() {}

  public static String block(String text) {
    if (text.chars().allMatch(CleanText::isPlain)) {
      return text;
    }
    var lines = SEQUENCES.matcher(text).replaceAll("").replace("\r\n", "\n");
    var clean = new StringBuilder(lines.length());
    lines.codePoints().filter(CleanText::isPlain).forEach(clean::appendCodePoint);
    return clean.toString();
  }

  /** The marks that reorder text hide what it says, and are left out too. */
  private static boolean isPlain(int codePoint) {
    return codePoint == '\n'
        || codePoint == '\t'
        || (!Character.isISOControl(codePoint)
            && !(codePoint >= 0x2028 && codePoint <= 0x202e)
            && !(codePoint >= 0x2066 && codePoint <= 0x2069));
  }
}
