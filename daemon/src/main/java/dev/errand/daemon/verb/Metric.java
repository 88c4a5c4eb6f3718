package dev.errand.daemon.verb;

/**
 * One figure of the daemon.
 *
 * @param name as Prometheus has it, with labels where there are several of one name
 */
public record Metric(String name, Type type, Number value) {

  /** How it changes. */
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
