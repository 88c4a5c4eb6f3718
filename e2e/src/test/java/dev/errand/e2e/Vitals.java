package dev.errand.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What a process of the program holds: memory in KiB, descriptors, threads. */
record Vitals(long pid, long residentKib, long descriptors, long threads) {

  static Vitals of(long pid) throws IOException {
    try (var descriptors = Files.list(Path.of("/proc/" + pid + "/fd"))) {
      return new Vitals(pid, field(pid, "VmRSS:"), descriptors.count(), field(pid, "Threads:"));
    }
  }

  private static long field(long pid, String name) throws IOException {
    for (var line : Files.readAllLines(Path.of("/proc/" + pid + "/status"))) {
      if (line.startsWith(name)) {
        return Long.parseLong(line.replaceAll("\\D", ""));
      }
    }
    throw new IOException("process " + pid + " has no " + name);
  }

  /** What a JVM holds in its heap after a full collection, in KiB. */
  static long liveHeapKib(Sandbox sandbox, long pid) throws IOException, InterruptedException {
    var jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
    sandbox.finish(new ProcessBuilder(jcmd, Long.toString(pid), "GC.run")).succeeded();
    var info = sandbox.finish(new ProcessBuilder(jcmd, Long.toString(pid), "GC.heap_info"));
    return info.succeeded().out().lines().mapToLong(Vitals::used).sum();
  }

  private static long used(String line) {
    var at = line.indexOf("used ");
    var counts = line.startsWith("DefNew") || line.startsWith("Tenured");
    return counts && at >= 0 ? Long.parseLong(line.substring(at + 5, line.indexOf('K', at))) : 0;
  }
}
