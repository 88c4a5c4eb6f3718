package dev.errand.core.error;

import java.util.Map;

/**
 * Refuses a position past the end and says where the end is. A reader with such a position has it
 * from another source and would wait for ever. A position at the end is valid: nothing new.
 */
public final class PastEnd {

  private PastEnd() {}

  /** {@code head} is the number of the last frame. */
  public static void checkSeq(String name, long seq, long head) {
    if (seq > head) {
      throw new ErrandException(
          ErrorCode.INVALID_REQUEST,
          name + " is past the end: the last frame is " + head + "; read from there or before",
          Map.of("head_seq", head));
    }
  }

  public static void checkOffset(String name, long offset, long totalBytes) {
    if (offset > totalBytes) {
      throw new ErrandException(
          ErrorCode.RANGE_NOT_SATISFIABLE,
          name + " is past the end: there are " + totalBytes + " bytes; read from there or before",
          Map.of("total_bytes", totalBytes));
    }
  }

  /** {@code nextLine} is the number of the first line that is still to come. */
  public static void checkLine(String name, long line, long nextLine) {
    if (line > nextLine) {
      throw new ErrandException(
          ErrorCode.RANGE_NOT_SATISFIABLE,
          name + " is past the end: line " + nextLine + " comes next; read from there or before",
          Map.of("next_line", nextLine));
    }
  }
}
