package dev.errand.daemon.verb;

/**
 * Whom a verb is for, and what of it is checked before it runs. Nothing can be offered without one.
 */
public sealed interface Access {

  /** Anyone who reaches a door, not even asked who it is; the answer must say nothing of worth. */
  record Open() implements Access {}

  /** Anyone who is let in; it shows nothing that belongs to somebody. */
  record Common() implements Access {}

  /** Shows what is named, to a caller who reaches it. For all others it is not there. */
  record Reads(Target target) implements Access {}

  /** Changes what is named, by a caller who reaches it and is trusted enough. */
  record Controls(Target target) implements Access {}

  /** The same for what outlives tasks, so it is not for a task, also of the same session. */
  record ControlsFromOutside(Target target) implements Access {}

  /** Settles what somebody was not trusted to settle, so it is for a person who reaches it. */
  record Decides(Target target) implements Access {}

  /** Starts tasks; the policy judges each. */
  record Spawns() implements Access {}

  /** Shows of many what the caller reaches; the verb reads by the caller's session alone. */
  record Filtered() implements Access {}

  /** Changes things of which the verb itself knows whose they are: a caller changes no others. */
  record ControlsOwn() implements Access {}

  /** Tells of all sessions, so it is not for a token that is bound to one. */
  record AllSessions() implements Access {}

  /** Commands the daemon as a whole. */
  record Owner() implements Access {}

  /** What a verb can name. */
  enum Target {
    TASK,
    /** A log of a task, by its own name. */
    LOG,
    ARTIFACT,
    SESSION
  }

  /** Whether the audit hears of it: who changes something or commands the daemon. */
  default boolean isAudited() {
    return switch (this) {
      case Open _, Common _, Reads _, Filtered _, AllSessions _ -> false;
      case Controls _, ControlsFromOutside _, Decides _, Spawns _, ControlsOwn _, Owner _ -> true;
    };
  }

  /** Whether one thing is named whose owner it has to settle. */
  default boolean settlesName() {
    return switch (this) {
      case Reads _,
          Controls _,
          ControlsFromOutside _,
          Decides _,
          Filtered _,
          Spawns _,
          ControlsOwn _ ->
          true;
      case Open _, Common _, AllSessions _, Owner _ -> false;
    };
  }
}
