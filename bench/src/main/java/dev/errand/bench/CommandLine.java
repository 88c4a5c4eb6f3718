package dev.errand.bench;

import dev.errand.host.linux.Descriptors;
import dev.errand.host.linux.KernelException;
import dev.errand.host.linux.Poller;
import dev.errand.host.linux.PosixSpawn;
import dev.errand.host.linux.Processes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Runs a command as a shell would, and says how long it took: little is added to its own time. */
final class CommandLine implements AutoCloseable {
  private final Poller poller = Poller.open();

  CommandLine() throws KernelException {}

  /** Its time in nanoseconds, from before its start until it is over. Its output is thrown away. */
  long time(Map<String, String> more, List<String> command) throws IOException {
    var variables = new HashMap<>(System.getenv());
    variables.putAll(more);
    var environment =
        variables.entrySet().stream().map(it -> it.getKey() + "=" + it.getValue()).toList();
    var plan = new PosixSpawn.Plan(path(command.getFirst()), command, environment, "/");
    var pipe = Descriptors.pipe();
    try {
      var streams =
          new PosixSpawn.Streams(new PosixSpawn.Stdin.Nothing(), pipe.writeEnd(), pipe.writeEnd());
      var begin = System.nanoTime();
      var pid = PosixSpawn.start(plan, streams);
      var code = await(pid);
      var nanos = System.nanoTime() - begin;
      if (code != 0) {
        throw new IOException(command + " ended with " + code);
      }
      return nanos;
    } finally {
      pipe.close();
    }
  }

  private int await(long pid) throws KernelException {
    var pidfd = Processes.pidfd(pid);
    poller.add(pidfd, Poller.READABLE);
    try {
      while (true) {
        poller.await(-1, _ -> {});
        var status = Processes.reap(pid);
        if (status.isPresent()) {
          return status.get().code();
        }
      }
    } finally {
      poller.remove(pidfd);
      Descriptors.close(pidfd);
    }
  }

  private static String path(String name) throws IOException {
    if (name.contains("/")) {
      return name;
    }
    for (var folder : System.getenv().getOrDefault("PATH", "").split(":", -1)) {
      if (Files.isExecutable(Path.of(folder, name))) {
        return Path.of(folder, name).toString();
      }
    }
    throw new IOException("there is no " + name + " on the PATH");
  }

  @Override
  public void close() {
    poller.close();
  }
}
