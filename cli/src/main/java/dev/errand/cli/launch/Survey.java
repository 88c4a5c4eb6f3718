package dev.errand.cli.launch;

import dev.errand.core.error.ErrandException;
import dev.errand.wire.home.ErrandHome;
import dev.errand.wire.http.LossFile;
import dev.errand.wire.json.JsonFields;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Optional;

/** The content of a home, for recovery after a loss. */
public final class Survey {

  private Survey() {}

  /** All of it; needs no daemon. */
  public static JsonFields of(Installation installation) throws InterruptedException {
    var answer = DaemonProgram.ask(installation, new byte[0], "--survey");
    var fields = answer.fields();
    if (fields == null) {
      throw new LaunchException(answer.complaint());
    }
    return fields;
  }

  /** The tasks that a daemon found missing in the journal, if the loss is not accepted yet. */
  public static Optional<LossFile> loss(ErrandHome home) {
    try {
      return Optional.of(LossFile.decode(Files.readAllBytes(home.loss())));
    } catch (IOException | ErrandException e) {
      return Optional.empty();
    }
  }

  /** Accepts the loss: it is no longer reported, and the remains of those tasks may be removed. */
  public static boolean acceptLoss(ErrandHome home) {
    try {
      return Files.deleteIfExists(home.loss());
    } catch (IOException e) {
      throw new LaunchException(home.loss() + " cannot be removed: " + e.getMessage(), e);
    }
  }
}
