package dev.errand.cli.command;

/** The result of a check and the advice; the advice is empty if nothing is wrong. */
record Finding(Level level, String subject, String text, String advice) {

  enum Level {
    OK,
    WARN,
    FAIL
  }

  static Finding ok(String subject, String text) {
    return new Finding(Level.OK, subject, text, "");
  }

  static Finding warn(String subject, String text, String advice) {
    return new Finding(Level.WARN, subject, text, advice);
  }

  static Finding fail(String subject, String text, String advice) {
    return new Finding(Level.FAIL, subject, text, advice);
  }
}
