package dev.errand.host;

import dev.errand.core.time.Time;
import dev.errand.host.linux.OwnProcess;
import dev.errand.host.linux.ProcFs;
import dev.errand.host.process.DescriptorBudget;
import dev.errand.host.process.LimitMechanisms;
import dev.errand.host.process.ProcessHost;
import dev.errand.host.process.Tag;
import dev.errand.host.protocol.HostClient;
import dev.errand.host.protocol.HostListener;
import dev.errand.host.record.RecordWriter;
import dev.errand.wire.home.ErrandHome;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The composition root of the host: the one class that creates and connects its parts. */
public final class Host implements AutoCloseable {
  private static final Duration TURN = Duration.ofSeconds(1);

  private final HostFiles folder;
  private final HostLock lock;
  private final RecordWriter records;
  private final ProcessHost processes;
  private final RequestHandler requests;
  private final HostListener listener;
  private final Settings settings;
  private final Time clock;

  /**
   * The identity and the settings of a host.
   *
   * @param aloneMax how long its tasks may run without a daemon; null: without a limit
   */
  public record Settings(
      ErrandHome home,
      String hostId,
      String journalId,
      String build,
      Duration idleMax,
      @Nullable Duration aloneMax,
      Duration stdinTimeout,
      long segmentBytesMax) {
    public static final Duration IDLE_MAX_DEFAULT = Duration.ofSeconds(60);
    public static final Duration STDIN_TIMEOUT_DEFAULT = Duration.ofSeconds(10);
    public static final long SEGMENT_BYTES_MAX_DEFAULT = 16L << 20;
  }

  private Host(
      HostFiles folder,
      HostLock lock,
      RecordWriter records,
      ProcessHost processes,
      RequestHandler requests,
      HostListener listener,
      Settings settings,
      Time clock) {
    this.folder = folder;
    this.lock = lock;
    this.records = records;
    this.processes = processes;
    this.requests = requests;
    this.listener = listener;
    this.settings = settings;
    this.clock = clock;
  }

  /** Throws, or the host listens and its address is written. All its timers use this clock. */
  public static Host start(Settings settings, Time clock) throws IOException {
    OwnProcess.keepExitCodes();
    OwnProcess.leaveSession();
    OwnProcess.becomeSubreaper();
    Tag.lowerHardLimit();
    var folder = HostFiles.of(settings.home(), settings.hostId());
    folder.create(settings.home());
    var lock = HostLock.take(folder.path());
    folder.write(folder.build(), settings.build());
    folder.write(folder.pid(), Long.toString(ProcessHandle.current().pid()));
    // The records must be writable before a daemon can connect.
    var listening = new AtomicReference<@Nullable HostListener>();
    var records =
        RecordWriter.open(
            folder.records(), settings.segmentBytesMax(), () -> hint(listening.get()), clock);
    var budget = DescriptorBudget.raise();
    var mechanisms = LimitMechanisms.detect(clock.instant());
    folder.write(folder.limits(), String.join(" ", mechanisms.mechanisms()));
    var processes =
        ProcessHost.start(
            records,
            new ProcessHost.Settings(
                settings.home().logs(),
                budget,
                settings.stdinTimeout(),
                mechanisms,
                folder.gate(),
                settings.journalId()),
            clock);
    var requests =
        new RequestHandler(
            settings, processes, records, budget, ProcFs.bootId(), features(mechanisms), clock);
    var listener = HostListener.open(folder.socket(), requests, clock);
    listening.set(listener);
    folder.write(folder.address(), folder.socket().toString());
    OwnProcess.compileNicely();
    return new Host(folder, lock, records, processes, requests, listener, settings, clock);
  }

  private static List<String> features(LimitMechanisms mechanisms) {
    var features = new ArrayList<>(mechanisms.mechanisms());
    features.add(HostClient.TERMINALS);
    return features;
  }

  private static void hint(@Nullable HostListener listener) {
    if (listener != null) {
      listener.hint();
    }
  }

  /**
   * Runs until the host has to end: at a shutdown, when its folder is gone, or when no daemon can
   * come back.
   */
  public void run() throws InterruptedException {
    var idleMax = settings.idleMax();
    var neededNanos = clock.ticks();
    var askedNanos = neededNanos;
    while (!requests.isShutDown()) {
      processes.reapAdopted();
      listener.tell(processes.left());
      records.catchUp();
      if (folder.vanished()) {
        System.err.println("host: ending, because the folder of this host is gone");
        var _ = requests.shutDownNow();
      }
      if (listener.connected()) {
        askedNanos = clock.ticks();
      } else if (isAloneTooLong(askedNanos)) {
        System.err.println("host: ending all tasks, because no daemon has connected for too long");
        var _ = requests.shutDownNow();
      }
      if (listener.connected() || processes.running() > 0) {
        neededNanos = clock.ticks();
      } else if (clock.ticks() - neededNanos > idleMax.toNanos()) {
        return;
      }
      requests.awaitShutDown(TURN.compareTo(idleMax) < 0 ? TURN : idleMax);
    }
    listener.flush();
  }

  private boolean isAloneTooLong(long sinceNanos) {
    var max = settings.aloneMax();
    return max != null && clock.ticks() - sinceNanos > max.toNanos();
  }

  @Override
  public void close() throws IOException {
    listener.close();
    processes.close();
    records.close();
    lock.close();
  }
}
