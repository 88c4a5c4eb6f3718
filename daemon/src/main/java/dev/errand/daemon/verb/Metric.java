package dev.errand.daemon.verb;

/**
 * One metric of the daemon.
 *
 * @param name the name in Prometheus, with labels if several metrics share it
 */
public record Metric(String name, Type type, Number value) {

  /** How its value changes. */
  public enum Type {
    /** It goes up and down. */
    GAUGE,

    /** It only grows while the daemon runs. */
    COUNTER
  }

  public static Metric gauge(String name, Number value) {
    return new Metric(name, Type.GAUGE, value);
  }

  public static Metric counter(String name, Number value) {
    return new Metric(name, Type.COUNTER, value);
  }
}
