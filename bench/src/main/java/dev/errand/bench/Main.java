package dev.errand.bench;

import dev.errand.host.linux.OwnProcess;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Runs the benches that are named, or all: {@code bench [NAME...]}. */
public final class Main {

  private Main() {}

  public static void main(String[] names) throws Exception {
    // The client is compiled beside what is measured, and must not be in its way.
    OwnProcess.compileNicely();
    var benches = benches();
    var wanted = names.length == 0 ? List.copyOf(benches.keySet()) : List.of(names);
    // These need other programs or much time, so they are measured when they are named.
    benches.put("peers", new PeersBench());
    benches.put("million", new EndedBench(1_000_000));
    benches.put("long", new LongRunBench());
    var report = new Report(System.out);
    for (var name : wanted) {
      var bench = benches.get(name);
      if (bench == null) {
        throw new IllegalArgumentException("no bench " + name + "; there are " + benches.keySet());
      }
      report.title(name, bench);
      bench.run(report);
    }
    report.close();
  }

  private static Map<String, Bench> benches() {
    var benches = new LinkedHashMap<String, Bench>();
    benches.put("noop", new NoOpBench());
    benches.put("spawn", new SpawnBench());
    benches.put("output", new OutputBench());
    benches.put("idle", new IdleBench());
    benches.put("ended", new EndedBench(100_000));
    benches.put("subscribers", new SubscribersBench());
    benches.put("onlookers", new OnlookersBench());
    benches.put("bookkeeping", new BookkeepingBench());
    benches.put("artifacts", new ArtifactBench());
    benches.put("cli", new CliBench());
    benches.put("attach", new AttachBench());
    benches.put("pty", new PtyBench());
    benches.put("watch", new WatchBench());
    benches.put("tools", new ToolsBench());
    benches.put("replies", new RepliesBench());
    benches.put("sched", new SchedBench());
    benches.put("busy", new BusyCallersBench());
    return benches;
  }
}
