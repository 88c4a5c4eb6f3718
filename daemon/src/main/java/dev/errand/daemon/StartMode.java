package dev.errand.daemon;

/** How a daemon is started. */
enum StartMode {
  /** Normal; refused if the journal belongs to another home or is incomplete. */
  SERVE,

  /** The journal is bound to this home; processes of another home are not touched. */
  ADOPT,

  /** The present journal file is moved aside, and a new journal is created. */
  NEW_JOURNAL,

  /** Read-only: nothing is started, recovered or recorded. */
  READ_ONLY
}
