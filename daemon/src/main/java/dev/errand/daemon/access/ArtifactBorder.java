package dev.errand.daemon.access;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.journal.Journal;
import dev.errand.core.journal.TaskRow;
import dev.errand.core.journal.Tombstone;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskId;
import java.util.Optional;

/** Which artifacts a caller may read that is kept to one session. */
public final class ArtifactBorder {

  private ArtifactBorder() {}

  /** What was uploaded belongs to no session: whoever knows its digest may read it. */
  public static void check(Journal journal, String sha256, SessionId bound) {
    for (var link : journal.artifactLinks(sha256)) {
      var taskId = link.taskId();
      if (taskId == null || sessionOf(journal, taskId).map(bound::equals).orElse(false)) {
        return;
      }
    }
    throw new ErrandException(ErrorCode.ARTIFACT_NOT_FOUND, "there is no such artifact");
  }

  /** The session of a task that is there or was. */
  public static Optional<SessionId> sessionOf(Journal journal, TaskId taskId) {
    return journal
        .row(taskId)
        .map(TaskRow::sessionId)
        .or(() -> journal.tombstone(taskId).map(Tombstone::sessionId));
  }
}
