package dev.errand.host.process;

import dev.errand.host.linux.Errno;
import dev.errand.host.linux.KernelException;
import dev.errand.host.linux.PosixSpawn;
import dev.errand.host.linux.ProcFs;
import dev.errand.host.protocol.HostRequest;
import dev.errand.host.record.HostRecord;
import dev.errand.host.redact.SecretPool;
import dev.errand.wire.fault.Failpoint;
import dev.errand.wire.home.StartEnvironment;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Starts an attempt: from the request to its first records, and to a child whose output is read.
 */
final class Spawner {
  private static final int DESCRIPTORS = 3;

  private final HostServices services;
  private final DescriptorBudget budget;
  private final Launcher launcher;
  private final long mark;
  private final SecretPool secrets = new SecretPool();
  private final Map<String, String> ownEnvironment = StartEnvironment.of(System.getenv());
  private final String bootId = ProcFs.bootId();

  /** {@code mark} is part of the tag of every attempt that it starts. */
  Spawner(HostServices services, DescriptorBudget budget, long mark) {
    this.services = services;
    this.budget = budget;
    this.mark = mark;
    this.launcher = new Launcher(budget, new StartBarrier(services.gate()));
  }

  /** The result of a start. */
  sealed interface Outcome {
    record Started(Attempt.Running running) implements Outcome {}

    record NotStarted(long segment) implements Outcome {}
  }

  /**
   * Starts it now. The end is reported once, with the segment of the last record, and possibly
   * before this returns.
   */
  Outcome spawn(HostRequest.Spawn request, IoLoop loop, LongConsumer onEnded) {
    var recorder = new Recorder(services.records(), request.id(), services.clock());
    var tag = Tag.random(mark);
    recorder.add(it -> new HostRecord.Intent(it, tag));
    Failpoint.HOST_INTENDED.pass();
    var values = request.surroundings().env();
    for (var name : request.surroundings().secretNames()) {
      if (!values.containsKey(name)) {
        return notStarted(
            recorder, "secrets_gone", 0, "the value of " + name + " is gone; spawn the task again");
      }
    }
    var lease = secrets.lease(secretValues(request)).orElse(null);
    if (lease == null) {
      return notStarted(
          recorder,
          "limit",
          0,
          "the limit of secrets that this host can redact is reached; try again when other tasks"
              + " with secrets have ended");
    }
    var marked = new Marked(recorder, tag, null, lease);
    var environment = ChildEnvironment.of(ownEnvironment, request);
    return switch (ProgramFinder.find(request, environment)) {
      case ProgramFinder.Found.Nothing(var reason, var message) -> {
        marked.close();
        yield notStarted(recorder, reason, 0, lease.secrets().redact(message));
      }
      case ProgramFinder.Found.Program(var plan) ->
          startCaged(request, plan, marked, loop, onEnded);
    };
  }

  /**
   * Where the attempt's records go, the tag that its processes have, what limits them, and which
   * secrets must not be recorded.
   */
  private record Marked(
      Recorder recorder, long tag, @Nullable TaskLimiter limiter, SecretPool.Lease secrets) {
    void close() {
      if (limiter != null) {
        limiter.close();
      }
      secrets.close();
    }
  }

  private Outcome startCaged(
      HostRequest.Spawn request,
      PosixSpawn.Plan plan,
      Marked marked,
      IoLoop loop,
      LongConsumer onEnded) {
    var limits = request.limits().resources();
    var refusal = services.mechanisms().refusal(limits);
    if (refusal.isPresent()) {
      marked.close();
      return notStarted(marked.recorder(), "limit", 0, refusal.get());
    }
    try {
      var limiter = services.mechanisms().open(limits, marked.tag());
      var limited = new Marked(marked.recorder(), marked.tag(), limiter, marked.secrets());
      return start(request, plan, limited, loop, onEnded);
    } catch (IOException e) {
      marked.close();
      return notStarted(marked.recorder(), "limit", 0, Objects.toString(e.getMessage()));
    }
  }

  private Outcome start(
      HostRequest.Spawn request,
      PosixSpawn.Plan plan,
      Marked marked,
      IoLoop loop,
      LongConsumer onEnded) {
    var surroundings = request.surroundings();
    var pipes = surroundings.terminal() == null && surroundings.stdin();
    var descriptors = pipes ? DESCRIPTORS + 1 : DESCRIPTORS;
    if (!budget.reserve(descriptors)) {
      var limit = "this host has reached its limit of " + budget.limit() + " descriptors";
      marked.close();
      return notStarted(marked.recorder(), "limit", 0, limit);
    }
    var life = services.orphans().begin(request.id(), marked.tag());
    Launched process;
    try {
      process =
          launcher.launch(plan, surroundings, new Launcher.Mark(marked.tag(), marked.limiter()));
    } catch (KernelException e) {
      var message = marked.secrets().secrets().redact(words(plan, e.errno()));
      services.orphans().forget(request.id());
      budget.release(descriptors);
      marked.close();
      return notStarted(marked.recorder(), reason(e.errno()), e.errno(), message);
    } catch (IOException e) {
      services.orphans().forget(request.id());
      budget.release(descriptors);
      marked.close();
      return notStarted(
          marked.recorder(), "limit", 0, "limits could not be set: " + e.getMessage());
    }
    LongConsumer released =
        segment -> {
          marked.secrets().close();
          onEnded.accept(segment);
        };
    Runnable onClosed = () -> budget.release(descriptors);
    return new Outcome.Started(begin(request, process, marked, life, loop, released, onClosed));
  }

  private Attempt.Running begin(
      HostRequest.Spawn request,
      Launched process,
      Marked marked,
      Orphans.Life life,
      IoLoop loop,
      LongConsumer onEnded,
      Runnable onClosed) {
    var pid = process.pid();
    Failpoint.HOST_SPAWNED.pass();
    // It is not reaped yet, so its /proc entry exists even if it has ended already.
    var ticks = ProcFs.stat(pid).map(ProcFs.Stat::startTicks).orElse(0L);
    life.started(pid, ticks);
    var limitedBy = services.mechanisms().mechanisms(request.limits().resources());
    marked.recorder().add(it -> new HostRecord.Started(it, pid, ticks, bootId, limitedBy));
    var start =
        new Child.Start(
            request,
            process,
            marked.tag(),
            marked.limiter(),
            life,
            marked.recorder(),
            marked.secrets().secrets());
    var child = new Child(start, loop, services, onEnded, onClosed);
    loop.execute(child::begin);
    return new Attempt.Running(child, loop, pid, marked.tag());
  }

  private static Map<String, String> secretValues(HostRequest.Spawn request) {
    var names = request.surroundings().secretNames();
    if (names.isEmpty()) {
      return Map.of();
    }
    var values = new HashMap<>(request.surroundings().env());
    values.keySet().retainAll(names);
    return values;
  }

  private static Outcome notStarted(Recorder recorder, String reason, int errno, String message) {
    var place = recorder.add(it -> new HostRecord.NotStarted(it, reason, errno, message));
    return new Outcome.NotStarted(place.segment());
  }

  /** The program itself was found, so its interpreter or loader is missing. */
  private static String words(PosixSpawn.Plan plan, int errno) {
    return errno == Errno.ENOENT
        ? "%s cannot be run: the interpreter in its first line, or its loader, is missing"
            .formatted(plan.program())
        : Errno.words(errno);
  }

  private static String reason(int errno) {
    return switch (errno) {
      case Errno.ENOENT -> "not_found";
      case Errno.EACCES, Errno.ENOEXEC -> "not_executable";
      case Errno.E2BIG, Errno.EAGAIN, Errno.ENOMEM, Errno.EMFILE, Errno.ENFILE, Errno.ENOSPC ->
          "limit";
      default -> "error";
    };
  }
}
