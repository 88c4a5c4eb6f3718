package dev.errand.bench;

import dev.errand.wire.client.NewTask;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** {@code errand ls} from the shell, against a Java program that does nothing. */
final class CliBench implements Bench {
  private static final int ROUNDS = 30;
  private static final double TIMES_MAX = 3;

  @Override
  public String what() {
    return "errand ls from the shell, against an empty Java program with the same flags, no cache";
  }

  @Override
  public void run(Report report) throws Exception {
    try (var rig = Rig.start("");
        var client = rig.client();
        var commands = new CommandLine()) {
      for (var i = 0; i < 5; i++) {
        client.waitEnd(client.spawn(NewTask.shell("echo here")), Waits.LONG);
      }
      var empty = empty(rig.folder());
      var list = List.of(Rig.ROOT.resolve("errand").toString(), "ls");
      var help = List.of(Rig.ROOT.resolve("errand").toString(), "--version");
      var emptyTimes = new Percentiles();
      var listTimes = new Percentiles();
      var helpTimes = new Percentiles();
      // The first calls may make the cache; they are not what is measured here.
      for (var i = 0; i < 3; i++) {
        commands.time(rig.environment(), list);
      }
      awaitCache(rig);
      for (var i = 0; i < ROUNDS; i++) {
        emptyTimes.add(commands.time(Map.of(), empty));
        listTimes.add(commands.time(rig.environment(), list));
        helpTimes.add(commands.time(rig.environment(), help));
      }
      report.figure("reference: empty Java program, p50", emptyTimes.p50(), "ms");
      report.atMostTimes("errand ls, p50", listTimes.p50(), "ms", emptyTimes.p50(), TIMES_MAX);
      report.figure("errand --version, p50", helpTimes.p50(), "ms");
    }
  }

  /** Waits until the cache that was begun in the background lies ready. */
  private static void awaitCache(Rig rig) throws IOException, InterruptedException {
    for (var i = 0; i < 300; i++) {
      try (var files = Files.walk(rig.home().builds())) {
        if (files.anyMatch(it -> it.toString().endsWith(".aot"))) {
          return;
        }
      }
      Thread.sleep(100);
    }
  }

  private static List<String> empty(Path folder) throws IOException, InterruptedException {
    var source = folder.resolve("Empty.java");
    Files.writeString(source, "class Empty { public static void main(String[] args) {} }");
    var bin = Path.of(System.getProperty("java.home"), "bin");
    Programs.run(bin.resolve("javac").toString(), "-d", folder.toString(), source.toString());
    return List.of(
        bin.resolve("java").toString(),
        "-XX:+UseSerialGC",
        "-XX:-UsePerfData",
        "-Xms16m",
        "-Xmn8m",
        "-Xmx256m",
        "-XX:TieredStopAtLevel=1",
        "-XX:+UnlockDiagnosticVMOptions",
        "-XX:ArchiveRelocationMode=0",
        "-Xlog:disable",
        "-cp",
        folder.toString(),
        "Empty");
  }
}
