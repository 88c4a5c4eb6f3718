package dev.errand.cli.command;

/** Where a stream of bytes for a terminal stands: in text, or inside of what controls it. */
enum EscapeState {
  TEXT,
  ESCAPE,
  SEQUENCE,
  STRING,
  STRING_ESCAPE;

  static final int ESC = 0x1b;
  private static final int BEL = 0x07;

  EscapeState after(int code) {
    return switch (this) {
      case TEXT -> code == ESC ? ESCAPE : TEXT;
      case ESCAPE -> afterEscape(code);
      case SEQUENCE -> code >= 0x40 && code < 0x7f ? TEXT : SEQUENCE;
      case STRING -> code == ESC ? STRING_ESCAPE : code == BEL ? TEXT : STRING;
      case STRING_ESCAPE -> code == '\\' ? TEXT : STRING;
    };
  }

  private static EscapeState afterEscape(int code) {
    return switch (code) {
      case '[' -> SEQUENCE;
      case ']', 'P', 'X', '^', '_' -> STRING;
      default -> code >= 0x20 && code < 0x30 ? ESCAPE : TEXT;
    };
  }
}
