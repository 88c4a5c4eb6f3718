package dev.errand.host;

import dev.errand.wire.fault.Failpoint;
import dev.errand.wire.home.ErrandHome;
import dev.errand.wire.time.SystemTime;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The program {@code host --home DIR --id HOST_ID --journal JOURNAL_ID --build BUILD}. With {@code
 * --alone-ms MILLISECONDS} it ends its tasks after that time without a daemon.
 */
public final class HostMain {
  private static final int CANNOT_START = 3;
  private static final String IDLE_PROPERTY = "errand.host.idle_ms";

  private HostMain() {}

  public static void main(String[] args) {
    System.exit(run(args));
  }

  private static int run(String[] args) {
    Host started;
    try {
      Failpoint.check();
      var settings = settings(args);
      StderrLog.takeStandardError(HostFiles.of(settings.home(), settings.hostId()).log());
      started = Host.start(settings, new SystemTime());
    } catch (IOException | IllegalArgumentException e) {
      System.err.println("host: cannot start: " + e.getMessage());
      return CANNOT_START;
    }
    try (var host = started) {
      host.run();
      return 0;
    } catch (IOException | InterruptedException e) {
      System.err.println("host: " + e);
      return 1;
    }
  }

  private static Host.Settings settings(String[] args) {
    var options = options(args);
    return new Host.Settings(
        new ErrandHome(Path.of(option(options, "--home")).toAbsolutePath().normalize()),
        option(options, "--id"),
        option(options, "--journal"),
        option(options, "--build"),
        Duration.ofMillis(Long.getLong(IDLE_PROPERTY, Host.Settings.IDLE_MAX_DEFAULT.toMillis())),
        aloneMax(options.getOrDefault("--alone-ms", "")),
        Host.Settings.STDIN_TIMEOUT_DEFAULT,
        Host.Settings.SEGMENT_BYTES_MAX_DEFAULT);
  }

  private static @Nullable Duration aloneMax(String millis) {
    return millis.isEmpty() ? null : Duration.ofMillis(Long.parseLong(millis));
  }

  private static Map<String, String> options(String[] args) {
    var options = new HashMap<String, String>();
    for (var i = 0; i + 1 < args.length; i += 2) {
      options.put(args[i], args[i + 1]);
    }
    return options;
  }

  private static String option(Map<String, String> options, String name) {
    var value = options.getOrDefault(name, "");
    if (value.isEmpty()) {
      throw new IllegalArgumentException("the option " + name + " is missing");
    }
    return value;
  }
}
