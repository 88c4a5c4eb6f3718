package dev.errand.daemon;

/** How a daemon is started. */
enum StartMode {
  /** As ever; refused where the journal is another home's. */
  SERVE,

  /** The journal becomes this home's own; whoever runs for another home is left alone. */
  ADOPT,

  /** What is recorded can be read; nothing is begun, settled or recorded. */
  READ_ONLY
}
