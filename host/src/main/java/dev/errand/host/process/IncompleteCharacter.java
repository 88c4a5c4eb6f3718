package dev.errand.host.process;

import java.util.function.IntUnaryOperator;

/**
 * The start of a UTF-8 character at the end of bytes that are mostly text. It is stricter than
 * {@link dev.errand.core.task.Utf8}: bytes that can never become a character are not held back.
 */
final class IncompleteCharacter {
  static final int PREFIX_BYTES_MAX = 3;

  private IncompleteCharacter() {}

  /**
   * How many bytes at the end start a character that may continue: 0 to 3.
   *
   * @param byteAt the byte at an index, as a signed value
   */
  static int bytesBefore(IntUnaryOperator byteAt, int from, int end) {
    for (var back = 1; back <= PREFIX_BYTES_MAX && end - back >= from; back++) {
      var lead = byteAt.applyAsInt(end - back) & 0xff;
      if (lead < 0x80) {
        return 0;
      }
      if (lead >= 0xc0) {
        var second = back > 1 ? byteAt.applyAsInt(end - back + 1) & 0xff : -1;
        return length(lead) > back && secondFits(lead, second) ? back : 0;
      }
    }
    return 0;
  }

  private static int length(int lead) {
    if (lead >= 0xc2 && lead <= 0xdf) {
      return 2;
    }
    if (lead >= 0xe0 && lead <= 0xef) {
      return 3;
    }
    return lead >= 0xf0 && lead <= 0xf4 ? 4 : 0;
  }

  /** Overlong forms, surrogates and values above the last code point show in the second byte. */
  private static boolean secondFits(int lead, int second) {
    if (second < 0) {
      return true;
    }
    return switch (lead) {
      case 0xe0 -> second >= 0xa0;
      case 0xed -> second <= 0x9f;
      case 0xf0 -> second >= 0x90;
      case 0xf4 -> second <= 0x8f;
      default -> true;
    };
  }
}
