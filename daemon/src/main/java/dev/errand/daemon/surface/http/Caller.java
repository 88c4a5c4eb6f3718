package dev.errand.daemon.surface.http;

import dev.errand.core.policy.Profile;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskId;
import org.jspecify.annotations.Nullable;

/**
 * Who asks: the name that frames and the audit show, the session that is meant by default, how far
 * it is trusted, and the task whose process it is, if it is one.
 */
record Caller(String principal, SessionId session, Profile profile, @Nullable TaskId actingAs) {

  /** Of a request to a route that is open to all, so nobody asked who it is. */
  static final Caller NOBODY = new Caller("nobody", new SessionId("nobody"), Profile.SAFE, null);
}
