package dev.errand.daemon;

/** How a daemon is started. */
enum StartMode {
  /** As ever; refused where the journal is another home's, or less than it was. */
  SERVE,

  /** The journal becomes this home's own; whoever runs for another home is left alone. */
  ADOPT,

  /** What lies in the place of the journal is moved aside, and a new one begun. */
  NEW_JOURNAL,

  /** What is recorded can be read; nothing is begun, settled or recorded. */
  READ_ONLY
}
