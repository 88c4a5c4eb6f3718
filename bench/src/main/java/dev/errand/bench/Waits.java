package dev.errand.bench;

import dev.errand.wire.client.ErrandClient;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** How benches wait for what must come. */
final class Waits {
  static final Duration LONG = Duration.ofMinutes(2);

  private static final int LOOKS_MAX = 600;

  private Waits() {}

  /** Until so many follow a stream of the daemon. */
  static void followers(ErrandClient client, int count) throws InterruptedException {
    for (var i = 0; i < LOOKS_MAX; i++) {
      if (followers(client) >= count) {
        return;
      }
      TimeUnit.MILLISECONDS.sleep(100);
    }
    throw new IllegalStateException("not all could subscribe: " + followers(client));
  }

  /** Until nobody does any more. */
  static void noFollowers(ErrandClient client) throws InterruptedException {
    for (var i = 0; i < LOOKS_MAX && followers(client) > 0; i++) {
      TimeUnit.MILLISECONDS.sleep(100);
    }
  }

  private static double followers(ErrandClient client) {
    return client
        .metrics()
        .lines()
        .filter(it -> it.startsWith("errand_followers "))
        .mapToDouble(it -> Double.parseDouble(it.substring(it.indexOf(' ') + 1)))
        .findFirst()
        .orElse(0);
  }
}
