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
  public Verdict look(Moment moment) {
    if (moment.process() == null) {
      return Verdict.UNTIL_FRAME;
    }
    return Files.exists(path)
        ? new Verdict.Holds(new Held.File(moment.seq(), path.toString()))
        : new Verdict.NotYet(POLL);
  }
}
