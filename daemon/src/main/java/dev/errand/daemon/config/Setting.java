package dev.errand.daemon.config;

/**
 * One setting: what may stand there, what does, and where that was said. It is noted down while the
 * file is read, so that the reading of a setting is the only description of it.
 *
 * @param key its whole name, as in {@code output.retention}
 * @param kind a word for what it is: flag, count, time, size, text, texts, word or tables
 * @param range what is taken; empty where any value of the kind is
 * @param standard the default, written as in the file; {@code none} where there is none
 * @param value what is in force, written the same way
 * @param live whether a new value counts without a restart
 */
public record Setting(
    String key,
    String kind,
    String range,
    String standard,
    String value,
    Origin origin,
    boolean live) {

  /** What stands for a value that is not there. */
  public static final String NONE = "none";

  /** Where the value comes from. */
  public sealed interface Origin {
    record Standard() implements Origin {}

    /** Counted from 1. */
    record File(int line) implements Origin {}

    record CommandLine() implements Origin {}
  }

  Setting from(Origin other, String otherValue) {
    return new Setting(key, kind, range, standard, otherValue, other, live);
  }
}
