package dev.errand.daemon.hostlink;

import dev.errand.daemon.artifact.ArtifactStore;
import dev.errand.daemon.engine.EngineFixture;
import dev.errand.daemon.output.LogArchive;
import dev.errand.daemon.recovery.LogCheck;
import dev.errand.daemon.store.Durability;
import dev.errand.daemon.task.Runners;
import dev.errand.host.log.LogReader;
import dev.errand.host.protocol.HostListener;
import dev.errand.host.record.HostRecord;
import dev.errand.host.record.RecordReader;
import dev.errand.host.record.Stamp;
import dev.errand.host.record.StreamEnd;
import dev.errand.host.record.Usage;
import dev.errand.wire.home.ErrandHome;
import dev.errand.wire.json.JsonFrameCodec;
import dev.errand.wire.time.SystemTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** An engine, a home, and what links both to hosts. */
final class LinkFixture {
  static final String BUILD = "build-1";
  static final String JOURNAL = "journal-1";

  final EngineFixture tasks = new EngineFixture();
  final TaskLogs logs;
  final DeadHostSettlement settlement;
  private final ErrandHome home;

  LinkFixture(Path folder) {
    this.home = new ErrandHome(folder);
    var artifacts = new ArtifactStore(home.artifacts(), Durability.NORMAL, tasks.clock);
    var archive = new LogArchive(new LogReader(home.logs()), artifacts);
    var check = new LogCheck(tasks.journal, new JsonFrameCodec(), archive);
    this.logs = new TaskLogs(tasks.engine, archive, check);
    this.settlement = new DeadHostSettlement(tasks.engine, logs, FinalScan.NONE, tasks.clock);
  }

  ErrandHome home() {
    return home;
  }

  /** The folder of a host that was started in this boot. */
  HostFolder hostFolder(String id) throws IOException {
    var folder = new HostFolder(Files.createDirectories(home.hosts().resolve(id)));
    Files.createDirectories(folder.records());
    Files.writeString(folder.boot(), Boot.currentId());
    return folder;
  }

  /** The same of one that is dead: its lock is there and nobody holds it. */
  HostFolder deadHostFolder(String id) throws IOException {
    var folder = hostFolder(id);
    Files.createFile(folder.path().resolve("lock"));
    return folder;
  }

  /** Listens in the host's place. */
  static HostListener listen(HostFolder folder, HostListener.Handler script) throws IOException {
    var socket = folder.path().resolve("sock");
    var listener = HostListener.open(socket, script, new SystemTime());
    Files.writeString(folder.address(), socket.toString());
    return listener;
  }

  RecordPump pump(Path records) {
    return new RecordPump(
        tasks.engine,
        new RecordReader(records, tasks.clock),
        logs,
        (_, _) -> {},
        FinalScan.NONE,
        new RecordPump.Times(Duration.ofSeconds(3), tasks.clock));
  }

  HostLink link(HostFolder folder) {
    return new HostLink(folder, tasks.engine, pump(folder.records()), sending(), tasks.clock);
  }

  /** One that cannot start hosts, so those that are there have to do. */
  HostPool pool() {
    return pool(List.of("/bin/false"));
  }

  HostPool pool(List<String> launcher) {
    var starter = new HostStarter(launcher, home, JOURNAL, BUILD, true, new SystemTime());
    var watching = new HostPool.Watching((_, _) -> {}, FinalScan.NONE);
    var pool =
        new HostPool(tasks.engine, starter, logs, settlement, tasks.ids, sending(), watching);
    tasks.engine.subscribe(new Runners(pool));
    tasks.engine.subscribe(pool);
    return pool;
  }

  private HostPool.Sending sending() {
    return new HostPool.Sending(false, new SecretFiles(home.secrets()), () -> false, home.root());
  }

  /** What a host says of a task that ended well and left nothing but these logs. */
  static HostRecord exited(Stamp stamp, List<StreamEnd> logs) {
    return new HostRecord.Exited(
        stamp,
        0,
        null,
        null,
        null,
        false,
        "none",
        List.of(),
        List.of(),
        logs,
        new Usage(0, 0, 0, 0, 0),
        List.of());
  }
}
