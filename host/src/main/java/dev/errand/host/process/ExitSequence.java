package dev.errand.host.process;

import dev.errand.core.task.Exit;
import dev.errand.host.linux.ExitStatus;
import dev.errand.host.linux.ProcFs;
import dev.errand.host.linux.Processes;
import dev.errand.host.log.LogDigest;
import dev.errand.host.protocol.HostRequest;
import dev.errand.host.record.HostRecord;
import dev.errand.host.record.Stamp;
import dev.errand.host.record.StreamEnd;
import dev.errand.host.record.Usage;
import dev.errand.host.redact.Secrets;
import dev.errand.wire.fault.Failpoint;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The slow part of the end of a process: leftover processes, digests, syncing, and the last record.
 *
 * <p>Its steps run one after the other, on any free thread, never on an I/O thread.
 */
final class ExitSequence {
  private static final int BUFFER_BYTES = 128 << 10;
  private static final long OWN_PID = ProcessHandle.current().pid();
  private static final byte[] NO_BYTES = {};

  /** The recorded length of a leftover process's command; the rest is cut off. */
  private static final int COMMAND_CHARS_MAX = 200;

  /** The largest memory of this host so far; never decreases. */
  private static volatile long ownPeakBytes;

  private final HostServices services;
  private final Recorder recorder;
  private final Sweeper.AttemptIdentity identity;
  private final @Nullable TaskLimiter limiter;
  private final Orphans.Life life;
  private final PeakMeter.Meter meter;
  private final Secrets secrets;
  private final boolean sync;
  private final LongConsumer onEnded;
  private final List<Long> killed = new ArrayList<>();
  private List<Long> survivors = List.of();
  private List<Exit.Leftover> named = List.of();
  private volatile boolean unsure;
  private volatile boolean groupLives;
  private volatile boolean keeping;
  private volatile boolean kept;
  private volatile boolean over;

  /** How the leader ended. */
  record End(
      long pid, ExitStatus status, @Nullable String cause, @Nullable String step, boolean held) {}

  ExitSequence(
      HostServices services,
      Child.Start start,
      Sweeper.AttemptIdentity identity,
      LongConsumer onEnded) {
    this.services = services;
    this.recorder = start.recorder();
    this.identity = identity;
    this.limiter = start.limiter();
    this.life = start.life();
    var request = start.request();
    this.meter = services.meters().watch(identity.session());
    this.secrets = start.secrets();
    this.sync = request.sync();
    this.keeping = request.leftover() == HostRequest.Leftover.KEEP;
    this.onEnded = onEnded;
  }

  /** Only the last record may still be missing. */
  boolean over() {
    return over;
  }

  /** There are leftover processes, and they may stay. */
  boolean keepsLeftovers() {
    return kept;
  }

  /** From now on no leftover process is kept, whatever the spawn allowed. */
  void killLeftovers() {
    keeping = false;
  }

  /** Checks whether a process of the leader's group is left. */
  void lookAtGroup() {
    groupLives = false;
    groupLives = services.sweeper().groupLives(identity);
  }

  boolean groupLives() {
    return groupLives;
  }

  void sweep(@Nullable String cause) {
    // If the sweep fails unexpectedly, it is not known what is left.
    unsure = true;
    var swept = services.sweeper().sweep(identity);
    unsure = !swept.sure();
    killed.addAll(swept.killed());
    survivors = swept.survivors();
    named = swept.named();
    if (!killed.isEmpty() || !survivors.isEmpty()) {
      var found = new ArrayList<>(swept.killed());
      found.addAll(survivors);
      var why = cause == null ? "leftover" : cause;
      recorder.add(it -> new HostRecord.KillStep(it, "sweep", why, found));
    }
    keeping = false;
  }

  /**
   * True if it is certain, without a search, that nothing outlived the leader: then {@link
   * #settleLeftovers} has nothing to do.
   */
  boolean leavesNothing() {
    return limiter == null
        && !unsure
        && killed.isEmpty()
        && survivors.isEmpty()
        && services.sweeper().hasNoOrphans();
  }

  /** Handles the processes that outlived the leader as the spawn demands. */
  void settleLeftovers() {
    if (keeping) {
      keepLeftovers();
    } else if (killed.isEmpty() && survivors.isEmpty()) {
      sweep(null);
    }
  }

  /** If it is not known whether there are any, their possible output is still read. */
  private void keepLeftovers() {
    kept = true;
    unsure = true;
    try {
      var left = services.sweeper().leftovers(identity);
      survivors = left.stream().map(Exit.Leftover::pid).toList();
      named = left.stream().limit(Sweeper.NAMED_MAX).toList();
      kept = !survivors.isEmpty();
      unsure = false;
    } catch (IOException e) {
      System.err.println("host: cannot find the remaining processes of " + identity + ": " + e);
    }
  }

  /** After the last byte is in the log: creates the last record. */
  void finish(End end, List<LogDigest> digests) {
    var streams = new ArrayList<StreamEnd>();
    var buffer = isQuick(digests) ? NO_BYTES : new byte[BUFFER_BYTES];
    for (var digest : digests) {
      services.syncer().remove(digest);
      if (sync) {
        sync(digest);
      }
      streams.add(finish(digest, buffer));
    }
    var cause = cause(end);
    // Only from here on may the pid be reused.
    var _ = Processes.reap(end.pid());
    // Announced before it is recorded: a reader of the record may rely on it.
    over = true;
    life.ended(kept);
    Failpoint.HOST_EXITED.pass();
    var place = recorder.add(stamp -> exited(stamp, end, cause, streams));
    onEnded.accept(place.segment());
  }

  private void sync(LogDigest digest) {
    digest
        .syncAll()
        .ifPresent(lost ->
            recorder.add(it -> new HostRecord.Lost(it, digest.stream(), lost.from(), lost.to())));
  }

  /** Why it was killed: by this host, or by the kernel for a limit that this host set. */
  private @Nullable String cause(End end) {
    if (limiter == null) {
      return end.cause();
    }
    var passed = limiter.passed(end.status());
    for (var it : passed) {
      recorder.add(stamp -> new HostRecord.LimitPassed(stamp, it.limit(), it.value()));
    }
    limiter.close();
    return end.cause() == null ? TaskLimiter.cause(end.status(), passed) : end.cause();
  }

  /** Whether there is no output and nothing to remove, so that no step can be slow. */
  boolean isQuick(List<LogDigest> digests) {
    return limiter == null && digests.stream().allMatch(LogDigest::isEmpty);
  }

  private StreamEnd finish(LogDigest digest, byte[] buffer) {
    try {
      return digest.finish(buffer);
    } catch (IOException e) {
      System.err.println("host: a log could not be read to its end: " + e);
      return digest.unread();
    }
  }

  private HostRecord exited(Stamp stamp, End end, @Nullable String cause, List<StreamEnd> streams) {
    return new HostRecord.Exited(
        stamp,
        end.status().code(),
        end.status().signal(),
        cause,
        end.step(),
        end.held(),
        leftover(),
        killed,
        survivors,
        streams,
        usage(end.status()),
        named.stream().map(this::shown).toList());
  }

  /** Redacted before it is cut, so that no part of a secret remains. */
  private Exit.Leftover shown(Exit.Leftover process) {
    var command = secrets.redact(process.command()).replaceAll("\\p{Cntrl}", "?");
    var end =
        command.offsetByCodePoints(
            0, Math.min(COMMAND_CHARS_MAX, command.codePointCount(0, command.length())));
    return new Exit.Leftover(process.pid(), process.startTicks(), command.substring(0, end));
  }

  private String leftover() {
    if (unsure) {
      return "unknown";
    }
    if (kept) {
      return "kept";
    }
    return killed.isEmpty() && survivors.isEmpty() ? "none" : "killed";
  }

  /**
   * The kernel counts this host's own memory as the child's, from the time before the exec. So the
   * peak of the child is known only where it is above ours; below, the measured value counts.
   */
  private Usage usage(ExitStatus status) {
    var used = status.used();
    if (used.maxRssBytes() > ownPeakBytes) {
      ownPeakBytes = ProcFs.peakResidentBytes(OWN_PID);
    }
    var counted = used.maxRssBytes() > ownPeakBytes ? used.maxRssBytes() : 0;
    return new Usage(
        used.userMs(),
        used.systemMs(),
        Math.max(counted, meter.stop()),
        used.readBytes(),
        used.writtenBytes());
  }
}
