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
import dev.errand.core.task.Logs;
import dev.errand.core.task.Plan;
import dev.errand.core.task.Preview;
import dev.errand.core.task.ProcessIdentity;
import dev.errand.core.task.QueuePlace;
import dev.errand.core.task.ResourceLimits;
import dev.errand.core.task.Ruling;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskEvent;
import dev.errand.core.task.TaskFacts;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskSpec;
import dev.errand.core.task.TaskState;
import dev.errand.core.task.TaskView;
import dev.errand.core.task.TerminalSize;
import dev.errand.core.task.WatchCondition;
import dev.errand.core.task.WatchProgress;
import dev.errand.core.task.WatchSpec;
import dev.errand.core.task.Watcher;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Events of every kind with odd but possible contents. */
final class RandomEvents {
  private static final String[] PIECES = {
    "",
    "a",
    "naïve",
    "\u0000",
    "\"",
    "\\",
    "\n\r\t\b\f",
    "\u001b[31m",
    "\u007f",
    "\u2028",
    "\u2029",
    "\uFFFD",
    "\uFEFF",
    "😀",
    "e\u0301",
    "</script>",
    "{\"a\":1}",
    "\uDBFF\uDFFF",
    "日本",
    " "
  };

  private final RandomGenerator random;
  private final SessionId sessionId;

  RandomEvents(RandomGenerator random, SessionId sessionId) {
    this.random = random;
    this.sessionId = sessionId;
  }

  /** One event of each kind. */
  List<TaskEvent> oneOfEach() {
    var events = new ArrayList<TaskEvent>();
    events.add(new TaskEvent.Spawned(spec()));
    events.add(new TaskEvent.Approved(text()));
    events.add(new TaskEvent.Denied(text(), text()));
    events.add(new TaskEvent.Attempted(small(), text()));
    events.add(new TaskEvent.Started(number(), small(), process(), number()));
    events.add(output());
    events.add(new TaskEvent.OutputMerged(number(), number()));
    events.add(new TaskEvent.OutputGap(number(), stream(), number(), number()));
    events.add(new TaskEvent.OutputLost(stream(), number(), number()));
    events.add(new TaskEvent.StdinWritten(number(), stdin()));
    events.add(new TaskEvent.Signalled(number(), text(), text(), text(), pids()));
    events.add(new TaskEvent.Resized(number(), text(), size(), text()));
    events.add(new TaskEvent.KillStepped(number(), text(), text(), pids()));
    events.add(new TaskEvent.LimitPassed(number(), text(), number()));
    events.add(new TaskEvent.CancelRequested(text(), text()));
    events.add(new TaskEvent.Requeued(small(), text(), pids()));
    events.add(new TaskEvent.ArtifactWritten(logEnd()));
    events.add(new TaskEvent.Cancelled(text(), text(), number()));
    var match = maybe(() -> new TaskEvent.Match(stream(), number(), number()));
    events.add(new TaskEvent.WatcherHit(small(), text(), match, text(), number(), number()));
    events.add(new TaskEvent.WatcherSilenced(small(), text(), text(), number()));
    events.add(new TaskEvent.BecameReady(text(), number()));
    events.add(new TaskEvent.PromptSeen(text(), text(), number()));
    ends().forEach(it -> events.add(new TaskEvent.Ended(it)));
    return events;
  }

  private List<End> ends() {
    return List.of(
        new End.Exited(exit(), number()),
        new End.NotStarted(text(), text(), number()),
        new End.LimitPassed(text(), exit(), number()),
        new End.Lost(pids(), pids(), number()),
        new End.Corrupt(number(), pids(), pids(), number()),
        new End.Denied(text(), text(), number()),
        new End.ApprovalExpired(number()),
        new End.Cancelled(text(), text(), exit(), number()),
        new End.Cancelled(text(), text(), null, number()));
  }

  /** A view of each kind, ended ones in every way. */
  List<TaskView> views() {
    var views = new ArrayList<TaskView>();
    views.add(new TaskView.Held(facts(), number()));
    views.add(new TaskView.Queued(facts(), maybe(this::place)));
    views.add(new TaskView.Running(facts(), number(), number(), maybe(this::prompt)));
    for (var end : ends()) {
      var known = known();
      views.add(TaskView.of(taskId(), new TaskState.Ended(known, end), number()));
    }
    return views.stream().map(it -> random.nextBoolean() ? it : it.with(findings(it))).toList();
  }

  private TaskFacts known() {
    var spec = spec();
    var logs = new ArrayList<Logs.Log>();
    for (var stream : LogStream.values()) {
      var total = random.nextLong(1L << 40);
      var end = maybe(() -> new LogEnd(stream, total, total, 0, maybe(this::text), List.of()));
      logs.add(new Logs.Log(stream, total, random.nextLong(total + 1), List.of(), end));
    }
    return new TaskFacts(
        spec,
        number(),
        number(),
        small(),
        number(),
        random.nextBoolean(),
        new Logs(logs),
        maybe(() -> new TaskState.CancelRequest(text(), text())),
        spec.work().terminal(),
        new WatchProgress(Map.of(), number(), maybe(this::prompt)));
  }

  private TaskView.Facts facts() {
    return TaskView.of(taskId(), new TaskState.Queued(known()), number()).facts();
  }

  private WatchProgress.Prompt prompt() {
    return new WatchProgress.Prompt(text(), text(), number());
  }

  private QueuePlace place() {
    return new QueuePlace(
        small(),
        oneOf(QueuePlace.Reason.values()),
        maybe(this::taskId),
        number(),
        random.nextBoolean() ? QueuePlace.Ahead.NOTHING : ahead());
  }

  private QueuePlace.Ahead ahead() {
    var tasks = taskIds();
    Map<TaskId, String> labels = tasks.isEmpty() ? Map.of() : Map.of(tasks.getFirst(), text());
    return new QueuePlace.Ahead(small(), small(), tasks, small(), labels);
  }

  /** The first damaged frame of an end as corrupt is a part of the end. */
  private TaskView.Findings findings(TaskView view) {
    var escaped =
        Stream.generate(() -> new TaskView.EscapedProcess(number(), text()))
            .limit(random.nextInt(3))
            .toList();
    var isCorrupt = view.end() instanceof End.Corrupt;
    return new TaskView.Findings(isCorrupt ? null : maybe(this::number), escaped);
  }

  TaskSpec spec() {
    var origin =
        new TaskSpec.Origin(
            sessionId, text(), maybe(this::text), maybe(this::text), maybe(this::text));
    var invocation =
        oneOf(
            new Invocation[] {
              new Invocation.Shell(text()),
              new Invocation.Program(texts()),
              new Invocation.Fed(texts(), text().replace("\n", ""))
            });
    var mode = oneOf(Command.ExecutionMode.values());
    var io =
        new Command.Io(
            mode,
            random.nextBoolean(),
            number(),
            oneOf(Command.OnOutputLimit.values()),
            number(),
            mode == Command.ExecutionMode.PTY ? size() : null,
            maybe(this::limit));
    var limits =
        new Command.Limits(
            maybe(this::duration),
            maybe(this::duration),
            duration(),
            duration(),
            oneOf(Command.Leftover.values()),
            new ResourceLimits(
                maybe(this::limit),
                maybe(this::limit),
                maybe(this::limit),
                maybe(this::limit),
                maybe(this::limit)));
    var onRestart = oneOf(Command.OnRestart.values());
    var work = new Command(text(), invocation, text(), environment(), io, limits, onRestart);
    return new TaskSpec(origin, work, maybe(this::ruling), plan(), watching());
  }

  private Plan plan() {
    if (random.nextBoolean()) {
      return Plan.NONE;
    }
    return new Plan(
        maybe(this::text),
        oneOf(Plan.Priority.values()),
        taskIds(),
        taskIds(),
        duration(),
        maybe(this::text),
        random.nextBoolean(),
        random.nextBoolean(),
        maybe(this::taskId),
        small(),
        taskIds(),
        random.nextBoolean());
  }

  private List<TaskId> taskIds() {
    return Stream.generate(this::taskId).limit(random.nextInt(3)).toList();
  }

  private TaskId taskId() {
    return new TaskId(new UUID(random.nextLong(), random.nextLong()).toString());
  }

  private WatchSpec watching() {
    if (random.nextBoolean()) {
      return WatchSpec.NONE;
    }
    var watchers = new ArrayList<Watcher>();
    for (var i = random.nextInt(4); i > 0; i--) {
      watchers.add(new Watcher(text(), condition(), random.nextBoolean()));
    }
    return new WatchSpec(
        oneOf(WatchSpec.Notify.values()), watchers, maybe(this::condition), random.nextBoolean());
  }

  private WatchCondition condition() {
    return switch (random.nextInt(6)) {
      case 0 -> new WatchCondition.Regex(text(), maybe(this::stream));
      case 1 -> new WatchCondition.Port(small());
      case 2 -> new WatchCondition.Http(text());
      case 3 -> new WatchCondition.File(text());
      case 4 -> new WatchCondition.Silence(duration());
      default -> new WatchCondition.Prompt();
    };
  }

  private Ruling ruling() {
    var answer =
        random.nextBoolean() ? new Ruling.Answer.Allowed() : new Ruling.Answer.Asked(number());
    return new Ruling(oneOf(Profile.values()), answer, text(), maybe(this::text));
  }

  private long limit() {
    return 1 + random.nextLong(1L << 40);
  }

  private TaskEvent output() {
    var crc = maybe(random::nextInt);
    var preview = new Preview(text(), small(), random.nextBoolean());
    return new TaskEvent.Output(
        number(),
        stream(),
        number(),
        random.nextLong(1 << 20),
        number(),
        crc,
        preview,
        random.nextLong(1L << 50));
  }

  private TerminalSize size() {
    return new TerminalSize(1 + random.nextInt(1_000), 1 + random.nextInt(1_000));
  }

  private Environment environment() {
    var values = new TreeMap<String, String>();
    for (var i = random.nextInt(3); i > 0; i--) {
      values.put(text() + i, text());
    }
    return new Environment(values, random.nextBoolean() ? Set.of() : Set.of(text() + "K"));
  }

  private ProcessIdentity process() {
    return new ProcessIdentity(number(), number(), text(), number());
  }

  private HostFact.StdinWrite stdin() {
    return new HostFact.StdinWrite(
        text(),
        small(),
        random.nextBoolean(),
        random.nextBoolean(),
        maybe(this::text),
        maybe(this::text));
  }

  private Exit exit() {
    var processes = new ArrayList<Exit.Leftover>();
    for (var i = random.nextInt(3); i > 0; i--) {
      processes.add(new Exit.Leftover(number(), number(), text()));
    }
    var leftovers = new Exit.Leftovers(random.nextBoolean(), text(), pids(), pids(), processes);
    return new Exit(
        random.nextInt(),
        maybe(this::text),
        maybe(this::text),
        maybe(this::text),
        leftovers,
        new Exit.Usage(number(), number(), number(), number(), number()));
  }

  private LogEnd logEnd() {
    var extents = new ArrayList<LogEnd.Extent>();
    for (var i = random.nextInt(3); i > 0; i--) {
      extents.add(new LogEnd.Extent(number(), number()));
    }
    return new LogEnd(stream(), number(), number(), number(), maybe(this::text), extents);
  }

  private LogStream stream() {
    return oneOf(LogStream.values());
  }

  private Duration duration() {
    return Duration.ofMillis(random.nextLong(1L << 40));
  }

  private List<Long> pids() {
    return random.longs(random.nextInt(4), 1, 1 << 22).boxed().toList();
  }

  private List<String> texts() {
    var texts = new ArrayList<String>();
    for (var i = random.nextInt(4); i >= 0; i--) {
      texts.add(text());
    }
    return texts;
  }

  private String text() {
    var text = new StringBuilder();
    for (var i = random.nextInt(5); i > 0; i--) {
      text.append(oneOf(PIECES));
    }
    return text.toString();
  }

  private long number() {
    return switch (random.nextInt(4)) {
      case 0 -> 0;
      case 1 -> random.nextInt(1000);
      case 2 -> 1L + random.nextInt();
      default -> random.nextLong(1L << 53);
    };
  }

  private int small() {
    return random.nextInt(1 << 16);
  }

  private <T> @Nullable T maybe(Supplier<T> value) {
    return random.nextInt(3) == 0 ? null : value.get();
  }

  private <T> T oneOf(T[] values) {
    return values[random.nextInt(values.length)];
  }
}
