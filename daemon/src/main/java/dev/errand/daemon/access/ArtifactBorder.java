package dev.errand.daemon.access;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.journal.Journal;
import dev.errand.core.task.SessionId;

/** Which artifacts a caller may read that is kept to one session. */
public final class ArtifactBorder {

  private ArtifactBorder() {}

  /** What was uploaded belongs to no session: whoever knows its digest may read it. */
  public static void check(Journal journal, String sha256, SessionId bound) {
    for (var link : journal.artifactLinks(sha256)) {
      var taskId = link.taskId();
      if (taskId == null || Reach.covers(journal, bound, taskId)) {
        return;
      }
    }
    throw new ErrandException(ErrorCode.ARTIFACT_NOT_FOUND, "there is no such artifact");
  }
}
