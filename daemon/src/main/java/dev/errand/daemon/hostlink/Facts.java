package dev.errand.daemon.hostlink;

import dev.errand.core.task.Exit;
import dev.errand.core.task.HostFact;
import dev.errand.core.task.LogEnd;
import dev.errand.core.task.Preview;
import dev.errand.core.task.ProcessIdentity;
import dev.errand.core.task.TerminalSize;
import dev.errand.host.record.AttemptId;
import dev.errand.host.record.HostRecord;
import dev.errand.host.record.StreamEnd;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Turns a host's records into facts of the core: adds the readable start of each output range. If
 * that fails for a time, the same record can be passed again. For one thread at a time.
 */
final class Facts {
  private final TaskLogs taskLogs;

  /** The intents of attempts that are about to start. */
  private final Map<AttemptId, Intent> intents = new HashMap<>();

  /** Of attempts that have written something and are not over. */
  private final Map<AttemptId, PreviewBudget> budgets = new HashMap<>();

  /** The tag, which the record of the start does not repeat, and where it stands. */
  private record Intent(long tag, long segment) {
    static final Intent NONE = new Intent(0, 0);
  }

  Facts(TaskLogs taskLogs) {
    this.taskLogs = taskLogs;
  }

  /** Whether the host began this attempt and has not recorded the result. */
  boolean isIntended(AttemptId attempt) {
    return intents.containsKey(attempt);
  }

  long tagOf(AttemptId attempt) {
    return intents.getOrDefault(attempt, Intent.NONE).tag();
  }

  /**
   * The first segment with an intent that has no result yet; at most the given one. Only that
   * record shows that a process may have been started.
   */
  long firstSegment(long atMost) {
    return intents.values().stream().mapToLong(Intent::segment).reduce(atMost, Math::min);
  }

  /** The record was read in this segment, or in a later one. */
  Optional<HostFact> of(HostRecord record, long segment) {
    var attempt = record.attempt();
    var n = record.n();
    var atMs = record.timestampMs();
    return switch (record) {
      case HostRecord.Intent it -> {
        intents.put(new AttemptId(it.taskId(), attempt), new Intent(it.tag(), segment));
        yield Optional.empty();
      }
      case HostRecord.Started it -> Optional.of(started(it));
      case HostRecord.NotStarted it -> {
        intents.remove(new AttemptId(it.taskId(), attempt));
        yield Optional.of(new HostFact.NotStarted(attempt, n, it.reasonCode(), it.message(), atMs));
      }
      case HostRecord.Forgotten _ -> Optional.of(new HostFact.Forgotten(attempt, n, atMs));
      case HostRecord.Output it -> Optional.of(output(it));
      case HostRecord.Gap it ->
          Optional.of(new HostFact.Gap(attempt, n, it.stream(), it.from(), it.to()));
      case HostRecord.Lost it ->
          Optional.of(new HostFact.Lost(attempt, n, it.stream(), it.from(), it.to()));
      case HostRecord.Stdin it -> Optional.of(stdin(it));
      case HostRecord.Signalled it ->
          Optional.of(
              new HostFact.Signalled(attempt, n, it.opId(), it.signal(), it.by(), it.outside()));
      case HostRecord.Resized it -> Optional.of(resized(it));
      case HostRecord.KillStep it ->
          Optional.of(new HostFact.KillStep(attempt, n, it.step(), it.cause(), it.pids()));
      case HostRecord.LimitPassed it ->
          Optional.of(new HostFact.LimitPassed(attempt, n, it.limit(), it.value()));
      case HostRecord.Exited it -> {
        budgets.remove(new AttemptId(it.taskId(), attempt));
        yield Optional.of(exited(it));
      }
      case HostRecord.Unknown _ -> Optional.empty();
    };
  }

  private HostFact started(HostRecord.Started record) {
    var attemptId = new AttemptId(record.taskId(), record.attempt());
    var tag = tagOf(attemptId);
    intents.remove(attemptId);
    var process = new ProcessIdentity(record.pid(), record.startTicks(), record.bootId(), tag);
    return new HostFact.Started(record.attempt(), record.n(), process, record.timestampMs());
  }

  private HostFact output(HostRecord.Output record) {
    var budget =
        budgets.computeIfAbsent(
            new AttemptId(record.taskId(), record.attempt()), _ -> new PreviewBudget());
    var bytes =
        budget.allowed(record.timestampMs(), (int) Math.min(record.bytes(), Preview.BYTES_MAX));
    var start =
        bytes == 0
            ? new byte[0]
            : taskLogs.startOf(record.taskId(), record.stream(), record.offset(), bytes);
    budget.spend(start);
    return new HostFact.Output(
        record.attempt(),
        record.n(),
        record.stream(),
        record.offset(),
        record.bytes(),
        record.crc32c(),
        Preview.of(start, record.bytes()),
        record.timestampMs());
  }

  private static HostFact stdin(HostRecord.Stdin record) {
    var text = record.secret() ? null : record.data().toBase64();
    var by = record.by().isEmpty() ? null : record.by();
    var write =
        new HostFact.StdinWrite(
            record.opId(), record.bytes(), record.eof(), record.full(), text, by);
    return new HostFact.Stdin(record.attempt(), record.n(), write);
  }

  private static HostFact resized(HostRecord.Resized record) {
    return new HostFact.Resized(
        record.attempt(),
        record.n(),
        record.opId(),
        new TerminalSize(record.rows(), record.cols()),
        record.by(),
        record.offset());
  }

  private static HostFact exited(HostRecord.Exited record) {
    var logs = record.streams().stream().map(Facts::logEnd).toList();
    var leftovers =
        new Exit.Leftovers(
            record.pipeHeld(),
            record.leftover(),
            record.killed(),
            record.survivors(),
            record.processes());
    var used = record.usage();
    var usage =
        new Exit.Usage(
            used.cpuUserMs(),
            used.cpuSystemMs(),
            used.maxRssBytes(),
            used.ioReadBytes(),
            used.ioWriteBytes());
    var exit =
        new Exit(record.code(), record.signal(), record.cause(), record.step(), leftovers, usage);
    return new HostFact.Exited(record.attempt(), record.n(), exit, logs, record.timestampMs());
  }

  private static LogEnd logEnd(StreamEnd stream) {
    List<LogEnd.Extent> extents =
        stream.extents().stream().map(it -> new LogEnd.Extent(it.from(), it.to())).toList();
    // A later attempt counts only its own output, which is stored after that of earlier ones.
    var end = extents.isEmpty() ? 0 : extents.getLast().to();
    return new LogEnd(
        stream.stream(),
        Math.max(end, stream.bytesTotal()),
        stream.bytesStored(),
        stream.lines(),
        stream.sha256(),
        extents);
  }
}
