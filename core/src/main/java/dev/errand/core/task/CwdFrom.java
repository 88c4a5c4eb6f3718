package dev.errand.core.task;

/** What decided in which folder a new task runs. */
public enum CwdFrom {
  /** The request names it, or its caller works there. */
  CALLER,

  /** The settings of a declared tool name it, or leave it at the home of the user. */
  TOOL,

  /** The request names none and its caller has none, so it is that of the session. */
  SESSION,

  /** Nothing names one, so it is the home of the user. */
  HOME
}
