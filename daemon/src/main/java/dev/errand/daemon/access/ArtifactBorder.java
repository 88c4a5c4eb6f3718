package dev.errand.daemon.access;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.journal.ArtifactLink;
import dev.errand.core.journal.Journal;
import dev.errand.core.task.SessionId;

/** Which artifacts a caller may read that is kept to one session. */
public final class ArtifactBorder {

  private ArtifactBorder() {}

  /**
   * An artifact belongs to the tasks that wrote it and to the sessions that uploaded it; any of
   * them opens it. By its digest alone an upload is open to those only who are not bound.
   */
  public static void check(Journal journal, String sha256, SessionId session, boolean bound) {
    for (var link : journal.artifactLinks(sha256)) {
      if (opens(journal, link, session, bound)) {
        return;
      }
    }
    throw new ErrandException(ErrorCode.ARTIFACT_NOT_FOUND, "there is no such artifact");
  }

  private static boolean opens(
      Journal journal, ArtifactLink link, SessionId session, boolean bound) {
    var taskId = link.taskId();
    return taskId == null
        ? !bound || session.equals(link.uploader())
        : Reach.covers(journal, session, taskId);
  }
}
