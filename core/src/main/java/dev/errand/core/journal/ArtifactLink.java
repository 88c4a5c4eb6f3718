package dev.errand.core.journal;

import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskId;
import org.jspecify.annotations.Nullable;

/**
 * Why an artifact is kept: it belongs to a task that wrote it, or to a session that uploaded it.
 *
 * @param taskId null for an upload
 * @param uploader null for what a task wrote, and for uploads whose session was not recorded
 */
public record ArtifactLink(
    String sha256, @Nullable TaskId taskId, @Nullable SessionId uploader, long bytes, long atMs) {

  /** Of what a task wrote. */
  public ArtifactLink(String sha256, TaskId taskId, long bytes, long atMs) {
    this(sha256, taskId, null, bytes, atMs);
  }

  public static ArtifactLink uploaded(String sha256, SessionId by, long bytes, long atMs) {
    return new ArtifactLink(sha256, null, by, bytes, atMs);
  }
}
