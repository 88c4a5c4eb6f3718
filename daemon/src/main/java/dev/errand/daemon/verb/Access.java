package dev.errand.daemon.verb;

/** Who may call a verb, and what is checked before it runs. Every verb has one. */
public sealed interface Access {

  /**
   * Everyone who can connect, without authentication; the answer must contain nothing confidential.
   */
  record Open() implements Access {}

  /** Every authenticated caller; the verb shows nothing that has an owner. */
  record Common() implements Access {}

  /** Reads its target, for a caller whose reach includes it. For all others it does not exist. */
  record Reads(Target target) implements Access {}

  /** Changes its target, for a caller whose reach includes it and whose profile is high enough. */
  record Controls(Target target) implements Access {}

  /** The same for targets that outlive tasks: refused to every task, also of the same session. */
  record ControlsFromOutside(Target target) implements Access {}

  /** Answers an approval, so it is for a person whose reach includes the target. */
  record Decides(Target target) implements Access {}

  /** Starts tasks; the policy judges each. */
  record Spawns() implements Access {}

  /**
   * Reads many things and shows those in the caller's reach; the verb filters by the caller's
   * session.
   */
  record Filtered() implements Access {}

  /** Changes things whose owner the verb itself knows: a caller changes only its own. */
  record ControlsOwn() implements Access {}

  /** Reads all sessions, so it is not for a token that is bound to one. */
  record AllSessions() implements Access {}

  /** Commands the daemon as a whole. */
  record Owner() implements Access {}

  /** The target of a verb. */
  enum Target {
    TASK,
    /** A log of a task, by its own name. */
    LOG,
    ARTIFACT,
    SESSION
  }

  /** Whether it is written to the audit: a change, or a command to the daemon. */
  default boolean isAudited() {
    return switch (this) {
      case Open _, Common _, Reads _, Filtered _, AllSessions _ -> false;
      case Controls _, ControlsFromOutside _, Decides _, Spawns _, ControlsOwn _, Owner _ -> true;
    };
  }

  /** Whether it has one target whose owner must be checked. */
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
