package dev.errand.e2e;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A short torture on every build; {@code make torture SEED=n ROUNDS=m} runs a long one. */
@Timeout(3_600)
final class TortureTest {
  private static final long SEED = Long.getLong("errand.torture.seed", 20_260_401);
  private static final int ROUNDS = Integer.getInteger("errand.torture.rounds", 5);

  @Test
  void no_history_contradicts_the_model() throws Exception {
    var folder = Files.createDirectories(Path.of("target", "torture"));
    var file = folder.resolve("history-" + SEED + ".jsonl");
    System.out.printf("torture: seed %d, %d rounds, history in %s%n", SEED, ROUNDS, file);
    try (var sandbox = Sandbox.create();
        var history = new History(file)) {
      try {
        var ends = new Torture(sandbox, history, SEED).run(Torture.Plan.rounds(ROUNDS));
        System.out.printf("torture: %s%n", ends);
      } catch (Throwable e) {
        Files.copy(
            sandbox.home().daemonLog(),
            folder.resolve("daemon-" + SEED + ".log"),
            java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        throw e;
      }
    }
  }
}
