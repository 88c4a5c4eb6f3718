package dev.errand.core.task;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Laws of a task's life, held against random commands in random order, the same for each seed. */
final class TaskModelTest {
  private static final int STEPS = 120;

  static IntStream seeds() {
    return IntStream.range(0, 400);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void whatever_is_asked_in_whatever_order_the_laws_hold(int seed) {
    var life = lived(seed);

    assertThat(life.observed.isOver()).isTrue();
    assertThat(life.refolded()).isEqualTo(life.state);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void a_host_that_speaks_nonsense_breaks_no_law(int seed) {
    var life = new Life(seed);
    life.submit(new TaskCommand.Spawn(life.spec, Samples.CLAIM));
    life.submit(new TaskCommand.Approve("ann"));
    life.submit(Samples.CLAIM);
    for (var step = 0; step < STEPS; step++) {
      life.submit(new TaskCommand.Report(List.of(life.nonsense(), life.nonsense())));
      life.submit(life.anyCommand());
    }

    assertThat(life.refolded()).isEqualTo(life.state);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void a_report_in_pieces_says_the_same_as_in_one(int seed) {
    var life = new Life(seed);
    life.submit(new TaskCommand.Spawn(life.spec, Samples.CLAIM));
    life.submit(new TaskCommand.Approve("ann"));
    life.submit(Samples.CLAIM);
    for (var i = 0; i < STEPS; i++) {
      life.host.goOn();
    }
    life.host.exit();
    var facts = life.host.facts();

    var pieces = new ArrayList<TaskEvent>();
    var state = life.state;
    for (var from = 0; from < facts.size(); ) {
      var to = from + 1 + life.random.nextInt(facts.size() - from);
      var events = accepted(state, new TaskCommand.Report(facts.subList(from, to)));
      pieces.addAll(events);
      state = Given.fold(state, events);
      from = to;
    }

    // A fact that is passed over leaves no trace in the state, so it cannot matter where it ends.
    assertThat(pieces).isEqualTo(accepted(life.state, new TaskCommand.Report(facts)));
  }

  @Test
  void the_seeds_lead_into_every_corner() {
    var seen = new TreeSet<String>();
    seeds().mapToObj(TaskModelTest::lived).forEach(it -> it.corners(seen));

    var events = names(TaskEvent.class);
    events.remove(TaskEvent.Unknown.class.getName());
    assertThat(seen).containsAll(events).containsAll(names(End.class)).contains("a third attempt");
  }

  private static Life lived(int seed) {
    var life = new Life(seed);
    for (var step = 0; step < STEPS; step++) {
      life.step();
    }
    life.finish();
    return life;
  }

  private static Set<String> names(Class<?> type) {
    if (!type.isSealed()) {
      return new TreeSet<>(Set.of(type.getName()));
    }
    return Arrays.stream(type.getPermittedSubclasses())
        .flatMap(it -> names(it).stream())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static List<TaskEvent> accepted(TaskState state, TaskCommand command) {
    return switch (TaskDecider.decide(state, command)) {
      case Decision.Accepted it -> it.events();
      case Decision.Refused _ -> List.of();
    };
  }

  /** One task, its hosts, and everybody who asks something of it. */
  private static final class Life {
    private final Random random;
    private final TaskSpec spec;
    private final Observed observed = new Observed();
    private final List<HostFact> olderFacts = new ArrayList<>();
    private TaskState state = new TaskState.Absent();
    private PendingOutput pending = PendingOutput.NONE;
    private long nowMs = Samples.STARTED_AT;
    private final Random times;
    private ScriptedHost host;
    private int delivered;
    private TaskCommand last = Samples.cancel();

    Life(int seed) {
      random = new Random(seed);
      times = new Random(seed);
      var onRestart = random.nextBoolean() ? Command.OnRestart.LOST : Command.OnRestart.REQUEUE;
      var plain = Samples.spec(onRestart, random.nextBoolean() ? 45 : 100_000);
      var wired = seed % 5 == 0 ? Samples.onTerminal(plain) : plain;
      var watched = wired.attending(Samples.watching());
      spec = seed % 3 == 0 ? watched.ruled(Samples.asked(Samples.ASK_UNTIL)) : watched;
      host = new ScriptedHost(random, 0, Logs.empty(spec.work().streams()));
      host.die();
    }

    void step() {
      switch (random.nextInt(20)) {
        case 0 -> submit(new TaskCommand.Spawn(spec, random.nextBoolean() ? Samples.CLAIM : null));
        case 1 -> submit(Samples.CLAIM);
        case 2 -> submit(last);
        case 3 -> rarely(Samples.cancel());
        case 4 -> loseHost();
        case 5 -> submit(anyCommand());
        case 6, 7, 8 -> report();
        case 9 -> answer();
        case 10, 11 -> notice();
        default -> host.goOn();
      }
    }

    private void answer() {
      submit(
          switch (random.nextInt(6)) {
            case 0 -> new TaskCommand.Deny("no", "ann", Samples.ENDED_AT);
            case 1 -> new TaskCommand.ApprovalExpired(Samples.ENDED_AT);
            case 2 -> new TaskCommand.ApprovalExpired(Samples.ASK_UNTIL - 1);
            default -> new TaskCommand.Approve("ann");
          });
    }

    private void notice() {
      var sightings = new ArrayList<TaskCommand.Watched.Sighting>();
      for (var i = random.nextInt(4); i > 0; i--) {
        var end = (long) random.nextInt(200);
        var match =
            random.nextInt(4) == 0
                ? null
                : new TaskEvent.Match(spec.work().streams().getFirst(), end - 1, end);
        var silenced = random.nextInt(12) == 0 ? "too many hits" : null;
        sightings.add(
            new TaskCommand.Watched.Sighting(
                random.nextInt(4) - 1, match, "x", 1 + random.nextInt(3), silenced));
      }
      submit(new TaskCommand.Watched(sightings));
      if (random.nextInt(4) == 0) {
        submit(new TaskCommand.MarkReady("listens", Samples.STARTED_AT));
      }
      if (random.nextInt(4) == 0) {
        var offset = random.nextInt(2_000);
        submit(new TaskCommand.SeePrompt("$ ", "high", offset, Samples.STARTED_AT));
      }
    }

    private void rarely(TaskCommand command) {
      if (random.nextInt(4) == 0) {
        submit(command);
      }
    }

    /** From anywhere before the first fact that is not delivered, as after a restart. */
    private void report() {
      var facts = new ArrayList<HostFact>();
      if (random.nextInt(3) == 0) {
        facts.addAll(olderFacts);
      }
      var from = random.nextInt(delivered + 1);
      var to = from + random.nextInt(host.facts().size() - from + 1);
      delivered = Math.max(delivered, to);
      facts.addAll(host.facts().subList(from, to));
      submit(new TaskCommand.Report(facts));
    }

    /** The host dies: proven not to have begun, or found dead with its logs as they lie. */
    private void loseHost() {
      if (!host.hasBegun()) {
        host.die();
        submit(new TaskCommand.HostLeft(host.attempt(), Samples.ENDED_AT));
        return;
      }
      if (random.nextInt(4) != 0
          || !(state instanceof TaskState.Claimed || state instanceof TaskState.Running)) {
        return;
      }
      var dead = host;
      dead.die();
      if (random.nextBoolean()) {
        submit(new TaskCommand.Index(dead.attempt(), dead.tails()));
      }
      var survivors = random.nextInt(4) == 0 ? List.of(8L) : List.<Long>of();
      submit(
          new TaskCommand.HostLost(
              dead.attempt(), List.of(7L), survivors, dead.logs(), Samples.ENDED_AT));
      coversAllOf(dead);
    }

    /** A command about the past or the future, which must do no harm. */
    TaskCommand anyCommand() {
      var past = random.nextInt(host.attempt() + 1) - 1;
      var from = (long) random.nextInt(100);
      return switch (random.nextInt(6)) {
        case 0 -> new TaskCommand.HostLeft(past, Samples.ENDED_AT);
        case 1 ->
            new TaskCommand.HostLost(past, List.of(), List.of(), host.logs(), Samples.ENDED_AT);
        case 2 -> new TaskCommand.Index(past, host.tails());
        case 3 ->
            new TaskCommand.OutputLost(
                spec.work().streams().getFirst(), from, from + random.nextInt(50));
        case 4 ->
            random.nextInt(50) == 0
                ? new TaskCommand.RecordDamaged(3, List.of(), List.of(), Samples.ENDED_AT)
                : new TaskCommand.OutputLost(spec.work().streams().getFirst(), from, from);
        default -> new TaskCommand.Claim.OnHost("host-b");
      };
    }

    HostFact nonsense() {
      var attempt = random.nextInt(3);
      var n = random.nextLong(STEPS);
      var streams = spec.work().streams();
      var stream = streams.get(random.nextInt(streams.size()));
      var at = random.nextLong(10_000);
      return switch (random.nextInt(60)) {
        case 0 -> new HostFact.Forgotten(attempt, n, at);
        case 1 -> new HostFact.NotStarted(attempt, n, "error", "?", at);
        case 2 ->
            new HostFact.Exited(attempt, n, Samples.exit(1), List.of(Samples.log(stream, at)), at);
        case 3, 4, 5, 6 -> new HostFact.Started(attempt, n, Samples.PROCESS, at);
        case 7, 8, 9, 10 -> new HostFact.Gap(attempt, n, stream, at, at + random.nextInt(100));
        default ->
            new HostFact.Output(attempt, n, stream, at, random.nextInt(1_000), 1, Preview.NONE);
      };
    }

    /** Lets the task come to its natural end, with every fact delivered. */
    void finish() {
      submit(new TaskCommand.Spawn(spec, Samples.CLAIM));
      submit(new TaskCommand.Approve("ann"));
      submit(Samples.CLAIM);
      host.exit();
      var wasOver = observed.isOver();
      submit(new TaskCommand.Report(host.facts()));
      if (!wasOver && host.facts().getLast() instanceof HostFact.Exited) {
        coversAllOf(host);
      }
    }

    private void coversAllOf(ScriptedHost dead) {
      for (var stream : spec.work().streams()) {
        assertThat(observed.reached(stream)).isEqualTo(dead.stored(stream));
      }
    }

    void submit(TaskCommand command) {
      last = command;
      nowMs += times.nextInt(1_500);
      var decider = new PacedDecider(state, pending, nowMs);
      decider.decide(command);
      pending = decider.finish().pending();
      for (var event : decider.events()) {
        observed.add(event);
        state = TaskFold.evolve(state, event, Samples.STARTED_AT);
        if (event instanceof TaskEvent.Attempted it) {
          olderFacts.addAll(host.facts());
          host = new ScriptedHost(random, it.attempt(), ((TaskState.Live) state).facts().logs());
          delivered = 0;
        }
      }
      observed.agreesWith(state);
      if (command instanceof TaskCommand.Report) {
        var again = new PacedDecider(state, pending, nowMs);
        again.decide(command);
        assertThat(again.events()).as("the same report again").isEmpty();
        assertThat(again.pending()).as("the same report again").isEqualTo(pending);
      }
    }

    void corners(Set<String> seen) {
      for (var event : observed.events()) {
        seen.add(event.getClass().getName());
        if (event instanceof TaskEvent.Ended it) {
          seen.add(it.end().getClass().getName());
        }
        if (event instanceof TaskEvent.Attempted it && it.attempt() == 3) {
          seen.add("a third attempt");
        }
      }
    }

    TaskState refolded() {
      return Given.fold(new TaskState.Absent(), observed.events());
    }
  }
}
