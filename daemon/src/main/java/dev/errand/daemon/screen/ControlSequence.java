package dev.errand.daemon.screen;

/**
 * A control sequence of a terminal: {@code ESC [}, a private mark if any, its parameters,
 * intermediate characters if any, and the letter that says what it is.
 */
record ControlSequence(String mark, String parameters, String between, char letter) {
  /** No screen has more rows or columns, and no other number means anything above it. */
  private static final int NUMBER_MAX = 9_999;

  /** Takes apart what stands between {@code ESC [} and the letter. */
  static ControlSequence of(String body, char letter) {
    var start = 0;
    while (start < body.length() && body.charAt(start) >= '<' && body.charAt(start) <= '?') {
      start++;
    }
    var end = start;
    while (end < body.length() && body.charAt(end) >= '0') {
      end++;
    }
    return new ControlSequence(
        body.substring(0, start), body.substring(start, end), body.substring(end), letter);
  }

  boolean isPlain() {
    return mark.isEmpty() && between.isEmpty();
  }

  boolean isPrivate() {
    return mark.equals("?") && between.isEmpty();
  }

  /** The parameters as numbers; an absent one is 0, and one that is none is -1. */
  int[] numbers() {
    var parts = parameters.split(";", -1);
    var numbers = new int[parts.length];
    for (var i = 0; i < parts.length; i++) {
      numbers[i] = number(parts[i]);
    }
    return numbers;
  }

  /** The first number, or the other where it is absent or 0. */
  int first(int otherwise) {
    var first = numbers()[0];
    return first <= 0 ? otherwise : first;
  }

  static int number(String digits) {
    var value = 0;
    for (var i = 0; i < digits.length(); i++) {
      var digit = digits.charAt(i) - '0';
      if (digit < 0 || digit > 9) {
        return -1;
      }
      value = Math.min(NUMBER_MAX, value * 10 + digit);
    }
    return value;
  }
}
