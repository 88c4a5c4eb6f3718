package dev.errand.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.errand.wire.client.NewTask;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Mixed load for long, two thirds of the time with faults; then the history is held to the model,
 * and what daemon and host hold is compared with fresh ones. A short form runs on every build;
 * {@code make soak SEED=n MINUTES=m} runs the long one.
 */
@Timeout(3 * 3_600)
final class SoakTest {
  private static final long SEED = Long.getLong("errand.soak.seed", 20_261_118);
  private static final Duration TIME = Duration.ofSeconds(Long.getLong("errand.soak.secs", 12));

  /** What a used process may hold beyond a fresh one: caches that are filled, not leaks. */
  private static final long DESCRIPTORS_MORE_MAX = 32;

  private static final long THREADS_MORE_MAX = 32;
  private static final long HEAP_MORE_KIB_MAX = 48 * 1024;

  @Test
  void nothing_is_lost_and_nothing_is_kept_under_mixed_load_and_faults() throws Exception {
    var folder = Files.createDirectories(Path.of("target", "soak"));
    var file = folder.resolve("history-" + SEED + ".jsonl");
    System.out.printf("soak: seed %d, %s, history in %s%n", SEED, TIME, file);
    try (var sandbox = Sandbox.create();
        var history = new History(file);
        var samples = new PrintWriter(folder.resolve("vitals-" + SEED + ".tsv").toFile(), UTF_8);
        var sampler = Executors.newSingleThreadScheduledExecutor()) {
      samples.println("secs\tprocess\tpid\tresident_kib\tdescriptors\tthreads");
      var everyMs = Math.max(1_000, TIME.toMillis() / 60);
      var began = System.nanoTime();
      var _ =
          sampler.scheduleAtFixedRate(
              () -> sample(sandbox, samples, began), everyMs, everyMs, TimeUnit.MILLISECONDS);
      try {
        var ends = new Torture(sandbox, history, SEED).run(Torture.Plan.lasting(TIME));
        System.out.printf("soak: %s%n", ends);
        sampler.shutdown();
        compareWithFresh(sandbox);
      } catch (Throwable e) {
        var log = folder.resolve("daemon-" + SEED + ".log");
        Files.copy(sandbox.home().daemonLog(), log, StandardCopyOption.REPLACE_EXISTING);
        throw e;
      } finally {
        sampler.shutdownNow();
      }
    }
  }

  /** One that was just killed cannot be looked at, and has no line. */
  private static void sample(Sandbox sandbox, PrintWriter samples, long began) {
    try {
      line(samples, began, "daemon", sandbox.daemonPid());
      for (var host : sandbox.hostPids()) {
        line(samples, began, "host", host);
      }
      samples.flush();
    } catch (IOException | RuntimeException e) {
      // Between a kill and the next start there is nothing to look at.
    }
  }

  private static void line(PrintWriter samples, long began, String name, long pid)
      throws IOException {
    var it = Vitals.of(pid);
    samples.printf(
        "%d\t%s\t%d\t%d\t%d\t%d%n",
        TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - began),
        name,
        pid,
        it.residentKib(),
        it.descriptors(),
        it.threads());
  }

  private static void compareWithFresh(Sandbox sandbox) throws Exception {
    // A host that had no task before the end is not there.
    runOne(sandbox);
    var usedDaemon = sandbox.daemonPid();
    var usedHost = sandbox.hostPids().getFirst();
    var daemon = Vitals.of(usedDaemon);
    var daemonHeap = Vitals.liveHeapKib(sandbox, usedDaemon);
    var host = Vitals.of(usedHost);
    var hostHeap = Vitals.liveHeapKib(sandbox, usedHost);
    sandbox.stopDaemon();
    sandbox.killHosts();
    sandbox.serve();
    runOne(sandbox);
    var freshDaemon = sandbox.daemonPid();
    var freshHost = sandbox.hostPids().getFirst();
    compare("daemon", daemon, daemonHeap, Vitals.of(freshDaemon), heap(sandbox, freshDaemon));
    compare("host", host, hostHeap, Vitals.of(freshHost), heap(sandbox, freshHost));
  }

  private static long heap(Sandbox sandbox, long pid) throws Exception {
    return Vitals.liveHeapKib(sandbox, pid);
  }

  private static void runOne(Sandbox sandbox) throws IOException {
    try (var client = sandbox.client()) {
      var taskId = client.spawn(NewTask.shell("echo hi"));
      assertThat(client.waitEnd(taskId, Sandbox.PATIENCE).isEnded()).isTrue();
    }
  }

  private static void compare(
      String name, Vitals used, long usedHeapKib, Vitals fresh, long freshHeapKib) {
    System.out.printf(
        "soak: %s used/fresh: heap %d/%d KiB, resident %d/%d KiB, descriptors %d/%d, threads"
            + " %d/%d%n",
        name,
        usedHeapKib,
        freshHeapKib,
        used.residentKib(),
        fresh.residentKib(),
        used.descriptors(),
        fresh.descriptors(),
        used.threads(),
        fresh.threads());
    assertThat(used.descriptors())
        .as("descriptors of the %s", name)
        .isLessThanOrEqualTo(fresh.descriptors() + DESCRIPTORS_MORE_MAX);
    assertThat(used.threads())
        .as("threads of the %s", name)
        .isLessThanOrEqualTo(fresh.threads() + THREADS_MORE_MAX);
    assertThat(usedHeapKib)
        .as("live heap of the %s in KiB", name)
        .isLessThanOrEqualTo(freshHeapKib + HEAP_MORE_KIB_MAX);
  }
}
