package dev.errand.daemon.home;

import static org.awaitility.Awaitility.await;

import dev.errand.testkit.SettableClock;
import dev.errand.wire.home.ErrandHome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class HomeWatchTest {
  private final SettableClock clock = new SettableClock(Instant.EPOCH);
  private final AtomicInteger told = new AtomicInteger();

  @Test
  void a_home_that_is_deleted_or_made_again_is_noticed_once(@TempDir Path folder) throws Exception {
    var home = new ErrandHome(folder);
    Files.createFile(home.daemonLock());
    try (var _ = HomeWatch.start(home, told::incrementAndGet, clock)) {
      // Kept under another name, so that the new file cannot get the same number again.
      Files.move(home.daemonLock(), folder.resolve("moved"));
      Files.createFile(home.daemonLock());

      clock.advance(Duration.ofSeconds(1));
      await().until(() -> told.get() == 1);
    }
  }
}
