package dev.errand.daemon.task;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskId;
import org.jspecify.annotations.Nullable;

/**
 * The caller that requests a task.
 *
 * @param by the name that frames show
 * @param taskId the task as which it acts, which becomes the parent; null for none
 * @param boundTo the only session in which it may start tasks; null: any
 */
public record Requester(String by, @Nullable TaskId taskId, @Nullable SessionId boundTo) {

  /** Whether it is not limited to another session. */
  public boolean sees(SessionId session) {
    return boundTo == null || boundTo.equals(session);
  }

  /** Refuses a requester that is limited to another session. */
  public void mustSee(SessionId session) {
    if (boundTo != null && !sees(session)) {
      throw new ErrandException(
          ErrorCode.FORBIDDEN, "this token is for session " + boundTo.value() + " only");
    }
  }
}
