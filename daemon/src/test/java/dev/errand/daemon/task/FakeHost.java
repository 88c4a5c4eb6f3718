package dev.errand.daemon.task;

import dev.errand.core.engine.Engine;
import dev.errand.core.task.Environment;
import dev.errand.core.task.Exit;
import dev.errand.core.task.HostFact;
import dev.errand.core.task.LogEnd;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.Preview;
import dev.errand.core.task.ProcessIdentity;
import dev.errand.core.task.TaskCommand;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskState;
import dev.errand.daemon.output.MemoryLogs;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** A host without processes: the test says what happens, and it is reported as a real one would. */
public final class FakeHost implements CommandRunner {
  private final Engine engine;
  private final MemoryLogs logs;
  private final Map<String, Applied> operations = new ConcurrentHashMap<>();
  private final List<Integer> attempts = new CopyOnWriteArrayList<>();
  private final List<String> applied = new CopyOnWriteArrayList<>();

  public FakeHost(Engine engine, MemoryLogs logs) {
    this.engine = engine;
    this.logs = logs;
  }

  @Override
  public TaskCommand.Claim claim() {
    return new TaskCommand.Claim.OnHost("host-1");
  }

  /** Nothing runs before the test says so. */
  @Override
  public void start(TaskId taskId, TaskState.Hosted claimed) {
    attempts.add(claimed.attempt().number());
  }

  @Override
  public void recover() {}

  @Override
  public void entrust(TaskId taskId, Environment secrets) {
    note("entrust " + secrets);
  }

  @Override
  public void dropSecrets(TaskId taskId) {
    note("drop secrets");
  }

  @Override
  public List<Long> endKept(TaskId taskId, ProcessIdentity process, List<Exit.Leftover> kept) {
    note("end kept " + kept.stream().map(Exit.Leftover::pid).toList());
    return List.of();
  }

  /** The number of each attempt that was to be started. */
  public List<Integer> attempts() {
    return List.copyOf(attempts);
  }

  /** What was done to tasks after their start, and to their secrets. */
  public List<String> applied() {
    return List.copyOf(applied);
  }

  /** Gives a task that waits its first attempt. */
  public void claim(TaskId taskId) {
    engine.submit(taskId, claim(), null).orThrow();
  }

  public void start(TaskId taskId) {
    var process = new ProcessIdentity(4711, 1, "boot", 1);
    report(taskId, n -> new HostFact.Started(1, n, process, 1_000));
  }

  public void write(TaskId taskId, LogStream stream, String text) {
    write(taskId, stream, text.getBytes(StandardCharsets.UTF_8));
  }

  public void write(TaskId taskId, LogStream stream, byte[] bytes) {
    var offset = logs.append(taskId, stream, bytes);
    report(
        taskId,
        n ->
            new HostFact.Output(
                1, n, stream, offset, bytes.length, 0, Preview.of(bytes, bytes.length)));
  }

  /** What was put together from several ranges. */
  public void writeMerged(TaskId taskId, LogStream stream, String text) {
    var bytes = text.getBytes(StandardCharsets.UTF_8);
    var offset = logs.append(taskId, stream, bytes);
    report(
        taskId,
        n ->
            new HostFact.Output(
                1, n, stream, offset, bytes.length, null, Preview.of(bytes, bytes.length)));
  }

  public void exit(TaskId taskId, int code, @Nullable String killedFor) {
    exit(taskId, code, killedFor, Exit.Leftovers.NONE);
  }

  /** The same for one that left processes. */
  public void exit(TaskId taskId, int code, @Nullable String killedFor, Exit.Leftovers leftovers) {
    var exit = new Exit(code, null, killedFor, null, leftovers, Exit.Usage.UNKNOWN);
    List<LogEnd> ends = logs.ends(taskId);
    report(taskId, n -> new HostFact.Exited(1, n, exit, ends, 2_000));
  }

  @Override
  public void end(TaskId taskId, TaskState.Hosted state, String reason) {
    note("cancel " + reason);
  }

  @Override
  public Applied signal(TaskId taskId, TaskState.Attempt attempt, SignalRequest request) {
    return operations.computeIfAbsent(
        request.opId(),
        opId -> {
          note("signal " + request.signal());
          var record =
              report(
                  taskId, n -> new HostFact.Signalled(1, n, opId, request.signal(), request.by()));
          return new Applied(record, 0);
        });
  }

  @Override
  public Applied input(TaskId taskId, TaskState.Attempt attempt, StdinRequest request) {
    return operations.computeIfAbsent(
        request.opId(),
        opId -> {
          note("stdin " + new String(request.data(), StandardCharsets.UTF_8));
          var base64 = Base64.getEncoder().encodeToString(request.data());
          var length = request.data().length;
          var write =
              new HostFact.StdinWrite(opId, length, request.eof(), false, base64, request.by());
          return new Applied(report(taskId, n -> new HostFact.Stdin(1, n, write)), length);
        });
  }

  @Override
  public Applied resize(TaskId taskId, TaskState.Attempt attempt, ResizeRequest request) {
    return operations.computeIfAbsent(
        request.opId(),
        opId -> {
          note("resize " + request.size());
          var record =
              report(
                  taskId, n -> new HostFact.Resized(1, n, opId, request.size(), request.by(), 0));
          return new Applied(record, 0);
        });
  }

  private void note(String what) {
    applied.add(what);
  }

  /**
   * Only the host numbers its records, so one report at a time. What the daemon calls within a
   * commit must not wait for this lock, which is held during commits.
   */
  private synchronized long report(TaskId taskId, LongFunction<HostFact> fact) {
    var last =
        switch (engine.snapshot(taskId).state()) {
          case TaskState.Hosted it -> it.attempt().lastRecord();
          case TaskState.Absent _, TaskState.Held _, TaskState.Queued _, TaskState.Ended _ -> 0L;
        };
    engine.submit(taskId, new TaskCommand.Report(List.of(fact.apply(last + 1))), null);
    return last + 1;
  }
}
