package dev.errand.daemon.surface.http;

import dev.errand.core.time.Time;
import dev.errand.daemon.config.Config;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Where to listen, and the limits of a request; without {@code listen} there is no TCP door.
 *
 * @param listen an address such as {@code 127.0.0.1:7717}; port 0 picks a free one
 * @param readOnly whether all changes are refused
 * @param clock measures waits and limits of the door
 */
public record HttpSettings(
    Path socket,
    @Nullable String listen,
    Supplier<Config.Serving> serving,
    Times times,
    boolean readOnly,
    Time clock) {

  /** For a daemon without {@code readOnly}. */
  public HttpSettings(
      Path socket,
      @Nullable String listen,
      Supplier<Config.Serving> serving,
      Times times,
      Time clock) {
    this(socket, listen, serving, times, false, clock);
  }

  /** Must be read at each use: it may change. */
  Config.Serving limits() {
    return serving.get();
  }

  /** The longest time of one long poll. */
  Duration waitMax() {
    return Duration.ofSeconds(limits().waitSecondsMax());
  }

  /**
   * How long the other side may be silent while it has bytes to send or to read, and how often a
   * quiet subscriber gets a keep-alive.
   */
  public record Times(Duration idle, Duration keepAlive) {
    public static final Times DEFAULTS = new Times(Duration.ofSeconds(30), Duration.ofSeconds(15));
  }
}
