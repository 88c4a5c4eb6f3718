package dev.errand.daemon.config;

import dev.errand.core.policy.Policy;
import dev.errand.core.policy.Profile;
import dev.errand.core.task.ResourceLimits;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** All settings of a daemon, each with its default; {@code docs/reference/config.md} lists them. */
public record Config(
    boolean syncToDisk,
    @Nullable String httpListen,
    Tasks tasks,
    Output output,
    Serving serving,
    ResourceLimits limits,
    Guarding policy,
    Attaching attaching,
    Screens screens,
    Waking waking,
    Watching watching,
    Tools tools,
    Inbox inbox) {

  public static final Config DEFAULTS =
      new Config(
          true,
          null,
          Tasks.DEFAULTS,
          Output.DEFAULTS,
          Serving.DEFAULTS,
          ResourceLimits.NONE,
          Guarding.DEFAULTS,
          Attaching.DEFAULTS,
          Screens.DEFAULTS,
          Waking.DEFAULTS,
          Watching.DEFAULTS,
          Tools.DEFAULTS,
          Inbox.DEFAULTS);

  public Config withHttpListen(@Nullable String address) {
    return new Config(
        syncToDisk,
        address,
        tasks,
        output,
        serving,
        limits,
        policy,
        attaching,
        screens,
        waking,
        watching,
        tools,
        inbox);
  }

  /** How tasks are run and ended, and whether agents may start any. */
  public record Tasks(
      boolean persist,
      int runningCommandsMax,
      int queuedPerSessionMax,
      Duration grace,
      Duration drain,
      long framesPerTaskMax,
      Duration terminalIdle,
      boolean enabled,
      Timeouts timeouts,
      Sharing sharing,
      Stopping stopping) {

    static final Tasks DEFAULTS =
        new Tasks(
            true,
            5_000,
            10_000,
            Duration.ofSeconds(5),
            Duration.ofSeconds(2),
            100_000,
            Duration.ofHours(24),
            true,
            Timeouts.DEFAULTS,
            Sharing.DEFAULTS,
            Stopping.DEFAULTS);
  }

  /** The default time limit of an agent's task, and the maximum that a task may request. */
  public record Timeouts(Duration standard, Duration max) {
    static final Timeouts DEFAULTS = new Timeouts(Duration.ofHours(1), Duration.ofDays(1));
  }

  /**
   * How sessions share the machine: how many tasks that agents' tools start may run at once, in one
   * session and in all; how deep tasks may start tasks; how long results of an ended session stay;
   * by how much a step of priority moves a task ahead; for how many commands the calls of one
   * session may wait; and how long a service runs before it blocks no other task, if it does not
   * say when it is ready.
   */
  public record Sharing(
      int concurrentPerSession,
      int concurrentGlobal,
      int depthMax,
      Duration orphanTtl,
      Duration priorityStep,
      int waitedCallsPerSession,
      Duration serviceSettle) {

    public static final Sharing DEFAULTS =
        new Sharing(
            5, 50, 3, Duration.ofHours(24), Duration.ofSeconds(60), 16, Duration.ofSeconds(2));
  }

  /** What happens to tasks when the daemon stops. */
  public enum OnStop {
    /** They go on in their hosts. */
    DETACH,

    /** The daemon waits for them to end and starts no new ones. */
    DRAIN,

    /** They are cancelled. */
    KILL
  }

  /** What happens to tasks, and how long the daemon waits for them before it stops. */
  public record Stopping(OnStop onStop, Duration waitMax) {
    public static final Stopping DEFAULTS = new Stopping(OnStop.DETACH, Duration.ofSeconds(30));
  }

  /**
   * How long a call of a tool waits for a command, how many characters an answer of a tool may
   * have, and the tools that are declared.
   */
  public record Tools(Duration foreground, int replyChars, List<DeclaredTool> declared) {
    public static final Tools DEFAULTS = new Tools(Duration.ofMinutes(2), 16_384, List.of());

    public Tools {
      declared = List.copyOf(declared);
    }
  }

  /** How much output is kept, and for how long. */
  public record Output(long bytesPerStreamMax, Duration retention, long totalBytesMax) {

    static final Output DEFAULTS = new Output(1L << 30, Duration.ofDays(7), 20L << 30);
  }

  /** Limits of requests, responses and subscribers. */
  public record Serving(
      int requestBytesMax,
      long artifactBytesMax,
      int pageMax,
      int waitSecondsMax,
      int subscribersMax,
      int connectionsMax) {

    static final Serving DEFAULTS = new Serving(1 << 20, 1L << 30, 1_000, 300, 20_000, 20_000);
  }

  /**
   * What callers may run: how far a token is trusted, below which folders tasks may run (anywhere
   * if there are none), how long a person has to answer, and the rules.
   */
  public record Guarding(Profile profile, List<String> roots, Duration askTimeout, Policy rules) {
    public static final Guarding DEFAULTS =
        new Guarding(Profile.SAFE, List.of(), Duration.ofHours(1), Policy.NONE);

    public Guarding {
      roots = List.copyOf(roots);
    }
  }

  /**
   * How many clients may be attached, in all and to one task; how large a message of one may be,
   * and how often a quiet one is asked whether it is there.
   */
  public record Attaching(
      int clientsMax, int clientsPerTaskMax, int messageBytesMax, Duration ping) {

    public static final Attaching DEFAULTS =
        new Attaching(1_000, 64, 64 << 10, Duration.ofSeconds(15));
  }

  /** Limits of rendering the screens of terminals. */
  public record Screens(
      int liveMax, Duration idle, long keepEveryBytes, long renderBytesMax, Duration renderTime) {

    static final Screens DEFAULTS =
        new Screens(32, Duration.ofMinutes(5), 4L << 20, 16L << 20, Duration.ofSeconds(5));
  }

  /** Whether a notice wakes the agent that it is for. */
  public record Waking(boolean auto) {
    static final Waking DEFAULTS = new Waking(false);
  }

  /**
   * Limits of watchers: how many hits of one watcher are recorded singly within the cool-down
   * before they are gathered, after how many hits it is silenced, and how long the end of a task
   * waits for watchers that have not scanned all output.
   */
  public record Watching(int burstHits, Duration coolDown, int hitsMax, Duration lastLook) {
    public static final Watching DEFAULTS =
        new Watching(10, Duration.ofSeconds(1), 1_000, Duration.ofSeconds(60));
  }

  /** Where webhooks may be sent. */
  public enum Webhooks {
    OFF,

    /** This machine only. */
    LOOPBACK,

    ANY
  }

  /** Limits of inboxes and notice texts, and the settings of webhooks. */
  public record Inbox(
      int unreadPerSessionMax,
      int textCharsMax,
      Webhooks webhooks,
      Duration webhookTimeout,
      Duration webhookAge) {

    public static final Inbox DEFAULTS =
        new Inbox(1_000, 16_384, Webhooks.LOOPBACK, Duration.ofSeconds(10), Duration.ofHours(24));
  }
}
