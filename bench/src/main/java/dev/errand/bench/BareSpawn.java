package dev.errand.bench;

import dev.errand.host.linux.Descriptors;
import dev.errand.host.linux.KernelException;
import dev.errand.host.linux.Poller;
import dev.errand.host.linux.PosixSpawn;
import dev.errand.host.linux.Processes;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The reference: a loop that starts a program and waits for its end, and does nothing else. */
final class BareSpawn {
  static final String NO_OP = "/bin/true";

  private BareSpawn() {}

  /** The loop in C, where there is a compiler. */
  static Optional<Path> compile(Path folder) throws IOException, InterruptedException {
    if (!Programs.isThere("gcc")) {
      return Optional.empty();
    }
    var program = folder.resolve("spawn");
    var source = Rig.ROOT.resolve("bench/src/main/c/spawn.c");
    Programs.run("gcc", "-O2", "-pthread", "-o", program.toString(), source.toString());
    return Optional.of(program);
  }

  static double inC(Path program, int threads, double seconds)
      throws IOException, InterruptedException {
    return Double.parseDouble(
        Programs.run(program.toString(), Integer.toString(threads), Double.toString(seconds), NO_OP)
            .strip());
  }

  /** The same through the host's own door to the kernel. */
  static double inJava(double seconds) throws IOException {
    var plan = new PosixSpawn.Plan(NO_OP, List.of(NO_OP), List.of(), "/");
    var streams = new PosixSpawn.Streams(new PosixSpawn.Stdin.Nothing(), 1, 2);
    try (var poller = Poller.open()) {
      var begin = System.nanoTime();
      var count = 0;
      while (System.nanoTime() - begin < seconds * 1e9) {
        awaitEnd(poller, PosixSpawn.start(plan, streams));
        count++;
      }
      return count / ((System.nanoTime() - begin) / 1e9);
    }
  }

  private static void awaitEnd(Poller poller, long pid) throws KernelException {
    var pidfd = Processes.pidfd(pid);
    poller.add(pidfd, Poller.READABLE);
    while (Processes.reap(pid).isEmpty()) {
      poller.await(-1, _ -> {});
    }
    poller.remove(pidfd);
    Descriptors.close(pidfd);
  }
}
