package dev.errand.daemon.surface.http;

import dev.errand.core.time.Time;
import dev.errand.daemon.config.Config;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Where to listen, and what one request may take; without {@code listen} there is no TCP door.
 *
 * @param listen an address such as {@code 127.0.0.1:7717}; port 0 picks a free one
 * @param readOnly whether all is refused that would change something
 * @param clock by which waits and limits of the door are counted
 */
public record HttpSettings(
    Path socket,
    @Nullable String listen,
    Supplier<Config.Serving> serving,
    Times times,
    boolean readOnly,
    Time clock) {

  /** For a daemon that may change what it records. */
  public HttpSettings(
      Path socket,
      @Nullable String listen,
      Supplier<Config.Serving> serving,
      Times times,
      Time clock) {
    this(socket, listen, serving, times, false, clock);
  }

  /** To be asked at each use: it may be another by then. */
  Config.Serving limits() {
    return serving.get();
  }

  /** The longest that one long poll lasts. */
  Duration waitMax() {
    return Duration.ofSeconds(limits().waitSecondsMax());
  }

  /**
   * How long the other side may be silent while it owes us bytes or does not take ours, and how
   * often a quiet subscriber hears from us.
   */
  public record Times(Duration idle, Duration keepAlive) {
    public static final Times DEFAULTS = new Times(Duration.ofSeconds(30), Duration.ofSeconds(15));
  }
}
