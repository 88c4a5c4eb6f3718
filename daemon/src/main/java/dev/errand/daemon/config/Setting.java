package dev.errand.daemon.config;

/**
 * One setting: its allowed values, its value and its source. It is recorded while the file is read,
 * so that the code that reads a setting is its only description.
 *
 * @param key its whole name, as in {@code output.retention}
 * @param kind its type: flag, count, time, size, text, texts, word or tables
 * @param range the allowed values; empty if any value of the type is allowed
 * @param standard the default, written as in the file; {@code none} if there is none
 * @param value the value in use, written the same way
 * @param live whether a new value applies without a restart
 */
public record Setting(
    String key,
    String kind,
    String range,
    String standard,
    String value,
    Origin origin,
    boolean live) {

  /** The word for an absent value. */
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
