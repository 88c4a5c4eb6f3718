package dev.errand.wire.fault;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The points between two steps at which a crash must do no harm, in the order of a task's life. */
public enum Failpoint {
  /** A transaction is complete but not committed. */
  JOURNAL_COMMIT("journal.commit"),
  /** It is committed and not acknowledged. */
  JOURNAL_COMMITTED("journal.committed"),
  /** A task is accepted and the answer is not sent. */
  DAEMON_ACCEPTED("daemon.accepted"),
  /** An attempt is recorded and its host is not asked yet. */
  DAEMON_CLAIMED("daemon.claimed"),
  /** The intent to start is on record and there is no process. */
  HOST_INTENDED("host.intended"),
  /** There is a process and no record of it. */
  HOST_SPAWNED("host.spawned"),
  /** Output was read and is not in the log. */
  HOST_LOG("host.log"),
  /** A process has ended, its logs are complete, and its exit is not on record. */
  HOST_EXITED("host.exited"),
  /** A host's records are read and not committed. */
  DAEMON_READ("daemon.read"),
  /** A log is an artifact and no frame says so. */
  ARTIFACT_LINKED("artifact.linked"),
  /** A host's records are committed. */
  DAEMON_RECORDED("daemon.recorded");

  /** The property that arms points, such as {@code host.spawned=kill,daemon.read=stop@3}. */
  public static final String PROPERTY = "errand.failpoints";

  private final String word;

  @SuppressWarnings("ImmutableEnumChecker") // Counts its passes, for tests only.
  private final @Nullable ArmedFailpoint charge;

  Failpoint(String word) {
    this.word = word;
    this.charge = ArmedFailpoint.of(word, setting());
  }

  /** The setting of this process, to pass on to a host. */
  public static String setting() {
    return System.getProperty(PROPERTY, "");
  }

  /** Throws unless every point that the setting names is one. */
  public static void check() {
    var known = Arrays.stream(values()).map(Failpoint::word).collect(Collectors.toSet());
    for (var word : ArmedFailpoint.words(setting())) {
      if (!known.contains(word)) {
        throw new IllegalArgumentException(
            "there is no failpoint " + word + "; there are " + known);
      }
    }
  }

  public String word() {
    return word;
  }

  /** Goes on, unless this is the moment for which the point was armed. */
  public void pass() {
    try {
      passOrFail();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The same, where a failure is to look like one of the disk. */
  public void passOrFail() throws IOException {
    if (charge != null) {
      charge.pass();
    }
  }
}
