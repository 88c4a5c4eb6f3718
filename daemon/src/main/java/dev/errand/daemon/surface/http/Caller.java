package dev.errand.daemon.surface.http;

import dev.errand.core.task.SessionId;

/** Who asks: the name that frames and the audit show, and the session that is meant by default. */
record Caller(String principal, SessionId session) {

  /** Of a request to a route that is open to all, so nobody asked who it is. */
  static final Caller NOBODY = new Caller("nobody", new SessionId("nobody"));
}
