package dev.errand.wire.json;

import dev.errand.core.policy.Profile;
import dev.errand.core.task.Command;
import dev.errand.core.task.End;
import dev.errand.core.task.Environment;
import dev.errand.core.task.Exit;
import dev.errand.core.task.HostFact;
import dev.errand.core.task.Invocation;
import dev.errand.core.task.LogEnd;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.Plan;
import dev.errand.core.task.Preview;
import dev.errand.core.task.ProcessIdentity;
import dev.errand.core.task.Ruling;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskEvent;
import dev.errand.core.task.TaskFold;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskSpec;
import dev.errand.core.task.TaskState;
import dev.errand.core.task.TerminalSize;
import dev.errand.core.task.WatchCondition;
import dev.errand.core.task.WatchSpec;
import dev.errand.core.task.Watcher;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Fixed events and states, the same in every run. */
final class Samples {
  static final TaskId TASK = new TaskId("01890a5d-ac96-774b-bcce-b302099a8057");
  static final SessionId SESSION = new SessionId("default");
  static final long AT = 1_700_000_000_000L;
  private static final String SHA =
      "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";

  static final TaskSpec SPEC =
      new TaskSpec(
          new TaskSpec.Origin(SESSION, "uid:1000", "build", "Build it", "agent-7"),
          new Command(
              "bash",
              new Invocation.Shell("make -j2 && echo 'done'"),
              "/srv/app",
              new Environment(Map.of("CI", "true", "A", "b")),
              new Command.Io(
                  Command.ExecutionMode.PIPES,
                  true,
                  1L << 30,
                  Command.OnOutputLimit.TRUNCATE,
                  100_000),
              new Command.Limits(
                  Duration.ofSeconds(60),
                  null,
                  Duration.ofSeconds(5),
                  Duration.ofSeconds(2),
                  Command.Leftover.KILL),
              Command.OnRestart.LOST));

  static final TaskSpec PROGRAM =
      new TaskSpec(
          new TaskSpec.Origin(SESSION, "uid:1000", null, null, null),
          new Command(
              "exec",
              new Invocation.Program(List.of("printf", "%s\n", "a b")),
              "/",
              Environment.NONE,
              new Command.Io(
                  Command.ExecutionMode.PIPES, false, 4096, Command.OnOutputLimit.KILL, 1000),
              new Command.Limits(
                  null,
                  Duration.ofMillis(1500),
                  Duration.ofSeconds(5),
                  Duration.ofSeconds(2),
                  Command.Leftover.KEEP),
              Command.OnRestart.REQUEUE));

  static final TaskSpec HELD =
      PROGRAM.ruled(
          new Ruling(
              Profile.SAFE, new Ruling.Answer.Asked(AT + 3_600_000), "policy.rule 2", "to see it"));

  static final TaskSpec PLANNED =
      PROGRAM
          .planned(
              new Plan(
                  "build",
                  Plan.Priority.HIGH,
                  List.of(TASK),
                  List.of(),
                  Duration.ofMillis(1500),
                  "b-1",
                  true,
                  true,
                  TASK,
                  1,
                  List.of()))
          .attending(
              new WatchSpec(
                  WatchSpec.Notify.STATE_CHANGES,
                  List.of(
                      new Watcher(
                          "error", new WatchCondition.Regex("ERROR", LogStream.STDERR), true),
                      new Watcher("up", new WatchCondition.Port(80), false),
                      new Watcher("health", new WatchCondition.Http("http://[::1]/"), false),
                      new Watcher("built", new WatchCondition.File("out.o"), false),
                      new Watcher(
                          "quiet", new WatchCondition.Silence(Duration.ofSeconds(9)), false),
                      new Watcher("asks", new WatchCondition.Prompt(), false)),
                  new WatchCondition.Port(8080)));

  static final TaskSpec WAITED = PROGRAM.planned(Plan.NONE.counted().waitedFor());

  static final TaskSpec TERMINAL =
      new TaskSpec(
          new TaskSpec.Origin(SESSION, "uid:1000", null, null, null),
          new Command(
              "bash",
              new Invocation.Shell("vim"),
              "/srv",
              Environment.NONE,
              new Command.Io(
                  Command.ExecutionMode.PTY,
                  true,
                  1L << 30,
                  Command.OnOutputLimit.TRUNCATE,
                  100_000,
                  new TerminalSize(30, 100)),
              new Command.Limits(
                  null,
                  Duration.ofHours(24),
                  Duration.ofSeconds(5),
                  Duration.ofSeconds(2),
                  Command.Leftover.KILL),
              Command.OnRestart.LOST));
  static final TaskEvent PROMPT_SEEN = new TaskEvent.PromptSeen("Project name: ", "high", AT + 50);
  static final TaskEvent.Resized RESIZED =
      new TaskEvent.Resized(10, "op-3", new TerminalSize(50, 132), "uid:1000");

  static final TaskEvent.Spawned SPAWNED = new TaskEvent.Spawned(SPEC);
  static final TaskEvent.Attempted ATTEMPTED = new TaskEvent.Attempted(1, "h-1");
  static final TaskEvent.Started STARTED =
      new TaskEvent.Started(2, 1, new ProcessIdentity(4711, 99_887, "boot-1", 77), AT + 5);
  static final TaskEvent.Output OUTPUT =
      new TaskEvent.Output(
          3, LogStream.STDOUT, 0, 11, 11, 0xCAFEBABE, new Preview("tick 😀\u2028\n", 11, false));
  static final TaskEvent.ArtifactWritten ARTIFACT =
      new TaskEvent.ArtifactWritten(
          new LogEnd(LogStream.STDOUT, 11, 11, 1, SHA, List.of(new LogEnd.Extent(0, 11))));
  static final TaskEvent.CancelRequested CANCEL_REQUESTED =
      new TaskEvent.CancelRequested("enough", "uid:1000");

  private static final Exit EXIT =
      new Exit(0, null, null, null, Exit.Leftovers.NONE, new Exit.Usage(8, 4, 4096, 512, 1024));
  private static final Exit KILLED =
      new Exit(
          143,
          "TERM",
          "cancel",
          "term",
          new Exit.Leftovers(true, "killed", List.of(4712L), List.of()),
          new Exit.Usage(8, 4, 4096, 512, 1024));

  private Samples() {}

  static final TaskEvent.Ended EXITED = new TaskEvent.Ended(new End.Exited(EXIT, AT + 90));
  static final TaskEvent.Ended KEEPING =
      new TaskEvent.Ended(
          new End.Exited(
              new Exit(
                  0,
                  null,
                  null,
                  null,
                  new Exit.Leftovers(
                      false,
                      "kept",
                      List.of(),
                      List.of(4712L),
                      List.of(new Exit.Leftover(4712, 99_990, "sleep 600"))),
                  Exit.Usage.UNKNOWN),
              AT + 90));
  static final TaskEvent.Ended CANCELLED =
      new TaskEvent.Ended(new End.Cancelled("enough", "uid:1000", KILLED, AT + 90));
  static final TaskEvent.Ended NOT_STARTED =
      new TaskEvent.Ended(new End.NotStarted("not_found", "there is no program xyz", AT + 9));
  static final TaskEvent.Ended TIMED_OUT =
      new TaskEvent.Ended(
          new End.LimitPassed(
              "wall",
              new Exit(137, "KILL", "wall", "kill", Exit.Leftovers.NONE, Exit.Usage.UNKNOWN),
              AT + 90));
  static final TaskEvent.Ended OVER_CAP =
      new TaskEvent.Ended(
          new End.LimitPassed(
              "output",
              new Exit(143, "TERM", "output", "term", Exit.Leftovers.NONE, Exit.Usage.UNKNOWN),
              AT + 90));
  static final TaskEvent.Ended LOST =
      new TaskEvent.Ended(new End.Lost(List.of(5L), List.of(6L, 7L), AT + 90));

  static final TaskEvent.Ended CORRUPT =
      new TaskEvent.Ended(new End.Corrupt(2, List.of(5L), List.of(), AT + 90));

  static final TaskEvent.Ended DENIED =
      new TaskEvent.Ended(new End.Denied("too bold", "uid:1000", AT + 90));

  /** A named event of every kind, each with the state that a run up to it would have. */
  static Map<String, TaskEvent> events() {
    var events = new LinkedHashMap<String, TaskEvent>();
    events.put("spawned", SPAWNED);
    events.put("spawned-program", new TaskEvent.Spawned(PROGRAM));
    events.put("spawned-held", new TaskEvent.Spawned(HELD));
    events.put("approved", new TaskEvent.Approved("uid:1000"));
    events.put("denied", new TaskEvent.Denied("too bold", "uid:1000"));
    events.put("attempt", ATTEMPTED);
    events.put("started", STARTED);
    events.put("output", OUTPUT);
    events.put(
        "output-merged-range",
        new TaskEvent.Output(9, LogStream.STDERR, 100, 2_000_000, 1_500_000, null, Preview.NONE));
    events.put(
        "output-merged-by-time",
        new TaskEvent.Output(
            9, LogStream.STDERR, 100, 2_000_000, 2_000_100, null, Preview.NONE, 1_700, true));
    events.put("output-merged", new TaskEvent.OutputMerged(4, 90_000));
    events.put("output-gap", new TaskEvent.OutputGap(5, LogStream.STDERR, 512, 1024));
    events.put("output-lost", new TaskEvent.OutputLost(LogStream.STDOUT, 5, 11));
    events.put(
        "stdin-written",
        new TaskEvent.StdinWritten(
            6, new HostFact.StdinWrite("op-1", 3, true, false, "aGkK", null)));
    events.put("signalled", new TaskEvent.Signalled(7, "op-2", "USR1", "uid:1000"));
    events.put(
        "signalled-outside",
        new TaskEvent.Signalled(7, "op-2", "USR1", "uid:1000", List.of(4713L, 4714L)));
    events.put("resized", RESIZED);
    events.put("spawned-terminal", new TaskEvent.Spawned(TERMINAL));
    events.put(
        "output-terminal",
        new TaskEvent.Output(
            11, LogStream.PTY, 0, 4, 4, 7, new Preview("\u001b[2J", 4, false), AT - 60_000));
    events.put("kill-step", new TaskEvent.KillStepped(8, "term", "cancel", List.of(4711L, 4712L)));
    events.put("limit-passed", new TaskEvent.LimitPassed(9, "idle", 1500));
    events.put("spawned-planned", new TaskEvent.Spawned(PLANNED));
    events.put("spawned-waited", new TaskEvent.Spawned(WAITED));
    events.put(
        "watcher-hit",
        new TaskEvent.WatcherHit(
            0, "error", new TaskEvent.Match(LogStream.STDERR, 90, 105), "ERROR: no disk", 1, 3));
    events.put("watcher-hit-port", new TaskEvent.WatcherHit(1, "up", null, "127.0.0.1:80", 1, 1));
    events.put(
        "watcher-silenced", new TaskEvent.WatcherSilenced(0, "error", "too many hits", 1_000));
    events.put("ready", new TaskEvent.BecameReady("127.0.0.1:8080", AT + 40));
    events.put("prompt", PROMPT_SEEN);
    events.put("cancel-requested", CANCEL_REQUESTED);
    events.put("requeued", new TaskEvent.Requeued(1, "host_lost", List.of(4711L)));
    events.put("artifact-written", ARTIFACT);
    events.put("cancelled", new TaskEvent.Cancelled("enough", "uid:1000", 85));
    events.put("ended-keeping", KEEPING);
    events.put("ended-exited", EXITED);
    events.put("ended-cancelled", CANCELLED);
    events.put(
        "ended-cancelled-unstarted",
        new TaskEvent.Ended(new End.Cancelled("enough", "uid:1000", null, AT + 1)));
    events.put("ended-not-started", NOT_STARTED);
    events.put("ended-timeout", TIMED_OUT);
    events.put("ended-output-limit", OVER_CAP);
    events.put("ended-lost", LOST);
    events.put("ended-corrupt", CORRUPT);
    events.put("ended-denied", DENIED);
    events.put("ended-approval-expired", new TaskEvent.Ended(new End.ApprovalExpired(AT + 90)));
    return events;
  }

  /** The state that these events lead to. */
  static TaskState.Present folded(TaskEvent... events) {
    TaskState state = new TaskState.Absent();
    for (var event : events) {
      state = TaskFold.evolve(state, event, AT);
    }
    return (TaskState.Present) state;
  }

  static TaskState.Present running() {
    return folded(SPAWNED, ATTEMPTED, STARTED, OUTPUT);
  }
}
