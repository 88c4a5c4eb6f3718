package dev.errand.core.task;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * One attempt as its host sees it: the facts on its disk, and logs that may be longer than they.
 */
final class ScriptedHost {
  private static final int SMALL_BYTES = 50;
  private static final int LARGE_BYTES = 3 * 1024 * 1024;

  private final Random random;
  private final int attempt;
  private final List<LogStream> streams;
  private final List<HostFact> facts = new ArrayList<>();
  private final Map<LogStream, Long> recorded = new EnumMap<>(LogStream.class);
  private final Map<LogStream, Long> tails = new EnumMap<>(LogStream.class);
  private final Map<LogStream, Long> dropped = new EnumMap<>(LogStream.class);
  private boolean over;

  /** The logs go on where the attempts before have left them. */
  ScriptedHost(Random random, int attempt, Logs logs) {
    this.random = random;
    this.attempt = attempt;
    this.streams = logs.list().stream().map(Logs.Log::stream).toList();
    for (var stream : streams) {
      recorded.put(stream, logs.of(stream).bytesTotal());
      tails.put(stream, (long) (random.nextBoolean() ? 0 : random.nextInt(SMALL_BYTES)));
      dropped.put(stream, logs.of(stream).bytesTotal());
    }
  }

  int attempt() {
    return attempt;
  }

  List<HostFact> facts() {
    return facts;
  }

  boolean hasBegun() {
    return !facts.isEmpty();
  }

  /** Writes one more fact down, if there can be one. */
  void goOn() {
    if (over) {
      return;
    }
    if (facts.isEmpty()) {
      begin();
      return;
    }
    var n = nextNumber();
    switch (random.nextInt(40)) {
      case 0 -> exit();
      case 1 -> facts.add(new HostFact.Signalled(attempt, n, "op" + n, "INT", "ann"));
      case 2 -> facts.add(new HostFact.KillStep(attempt, n, "term", "cancel", List.of(1L)));
      case 3 -> facts.add(new HostFact.LimitPassed(attempt, n, "output", n));
      case 4 -> facts.add(new HostFact.Stdin(attempt, n, write(n)));
      case 5, 6 -> gap();
      case 7 -> resized(n);
      default -> output();
    }
  }

  private void begin() {
    var n = nextNumber();
    switch (random.nextInt(10)) {
      case 0 -> facts.add(new HostFact.NotStarted(attempt, n, "not_found", "no", Samples.ENDED_AT));
      case 1 -> facts.add(new HostFact.Forgotten(attempt, n, Samples.ENDED_AT));
      default -> facts.add(new HostFact.Started(attempt, n, Samples.PROCESS, Samples.STARTED_AT));
    }
    over = !(facts.getLast() instanceof HostFact.Started);
  }

  private void output() {
    var stream = stream();
    var offset = recorded(stream);
    var bytes = 1 + random.nextInt(random.nextInt(4) == 0 ? LARGE_BYTES : SMALL_BYTES);
    recorded.put(stream, offset + bytes);
    facts.add(new HostFact.Output(attempt, nextNumber(), stream, offset, bytes, 1, Preview.NONE));
  }

  private void resized(long n) {
    if (streams.contains(LogStream.PTY)) {
      var size = new TerminalSize(1 + random.nextInt(100), 80);
      var offset = recorded(LogStream.PTY);
      facts.add(new HostFact.Resized(attempt, n, "op" + n, size, "ann", offset));
    } else {
      output();
    }
  }

  private void gap() {
    var stream = stream();
    var from = dropped.getOrDefault(stream, 0L);
    var length = recorded(stream) - from;
    if (length > 1) {
      var to = from + 1 + random.nextLong(length - 1);
      dropped.put(stream, to);
      facts.add(new HostFact.Gap(attempt, nextNumber(), stream, from, to));
    }
  }

  /** Ends the attempt, unless it is over already. */
  void exit() {
    if (facts.isEmpty() && !over) {
      begin();
    }
    if (over) {
      return;
    }
    over = true;
    var causes = new String[] {"cancel", "wall", "idle", "output"};
    var exit =
        random.nextBoolean()
            ? Samples.exit(random.nextInt(3))
            : Samples.killed(causes[random.nextInt(causes.length)]);
    facts.add(new HostFact.Exited(attempt, nextNumber(), exit, logs(), Samples.ENDED_AT));
  }

  /** From now on it writes nothing. */
  void die() {
    over = true;
  }

  /** How the logs lie on the disk, recorded or not. */
  List<LogEnd> logs() {
    return streams.stream().map(it -> Samples.log(it, stored(it))).toList();
  }

  List<TaskCommand.Index.Tail> tails() {
    return streams.stream()
        .map(it ->
            new TaskCommand.Index.Tail(it, recorded(it), stored(it) - recorded(it), Preview.NONE))
        .toList();
  }

  long stored(LogStream stream) {
    return recorded(stream) + tails.getOrDefault(stream, 0L);
  }

  private long recorded(LogStream stream) {
    return recorded.getOrDefault(stream, 0L);
  }

  private LogStream stream() {
    return streams.get(random.nextInt(streams.size()));
  }

  private long nextNumber() {
    return facts.isEmpty() ? 2 : facts.getLast().n() + 1;
  }

  private static HostFact.StdinWrite write(long n) {
    return new HostFact.StdinWrite("op" + n, 1, false, false, null, null);
  }
}
