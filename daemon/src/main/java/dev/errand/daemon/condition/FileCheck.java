package dev.errand.daemon.condition;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** Whether there is a file of a name. */
final class FileCheck implements Check {
  private static final Duration POLL = Duration.ofMillis(200);

  private final Path path;

  FileCheck(Path path) {
    this.path = path;
  }

  @Override
  public CheckResult check(Observation seen) {
    if (seen.process() == null) {
      return CheckResult.UNTIL_FRAME;
    }
    return Files.exists(path)
        ? new CheckResult.Holds(new ConditionMet.File(seen.seq(), path.toString()))
        : new CheckResult.NotYet(POLL);
  }
}
