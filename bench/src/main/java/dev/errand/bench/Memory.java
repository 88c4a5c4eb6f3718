package dev.errand.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** What a process holds of the machine's memory. */
final class Memory {
  private static final int COLLECTIONS = 3;

  private Memory() {}

  /** Proportional set size in KiB: resident memory, with shared pages counted by share. */
  static long pssKib(long pid) throws IOException {
    return field(Path.of("/proc/" + pid + "/smaps_rollup"), "Pss:");
  }

  /** The most resident memory that it ever had, in KiB. */
  static long peakKib(long pid) throws IOException {
    return field(Path.of("/proc/" + pid + "/status"), "VmHWM:");
  }

  static long residentKib(long pid) throws IOException {
    return field(Path.of("/proc/" + pid + "/status"), "VmRSS:");
  }

  private static long field(Path file, String name) throws IOException {
    for (var line : Files.readAllLines(file)) {
      if (line.startsWith(name)) {
        return Long.parseLong(line.replaceAll("\\D", ""));
      }
    }
    throw new IOException(name + " is not in " + file);
  }

  /** Makes a JVM collect its garbage and give back what it can. */
  static void collect(long pid) throws IOException, InterruptedException {
    var jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
    for (var i = 0; i < COLLECTIONS; i++) {
      Programs.run(jcmd, Long.toString(pid), "GC.run");
      TimeUnit.MILLISECONDS.sleep(300);
    }
  }

  /** The live heap of a JVM in KiB, after a collection. */
  static long heapKib(long pid) throws IOException, InterruptedException {
    var jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
    var used = 0L;
    for (var line : Programs.run(jcmd, Long.toString(pid), "GC.heap_info").split("\n", -1)) {
      var at = line.indexOf("used ");
      if (at >= 0 && (line.startsWith("DefNew") || line.startsWith("Tenured"))) {
        used += Long.parseLong(line.substring(at + 5, line.indexOf('K', at)));
      }
    }
    return used;
  }

  /** How many descriptors a process has open. */
  static long descriptors(long pid) throws IOException {
    try (var open = Files.list(Path.of("/proc/" + pid + "/fd"))) {
      return open.count();
    }
  }

  /** CPU time that a process took so far, in milliseconds; its children's is not in it. */
  static double cpuMs(long pid) throws IOException {
    var stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
    var fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    var ticks = Long.parseLong(fields[11]) + Long.parseLong(fields[12]);
    return ticks * 10.0;
  }
}
