package dev.errand.host;

import static dev.errand.host.TestHost.shell;
import static dev.errand.host.TestHost.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.errand.host.linux.ProcFs;
import dev.errand.host.protocol.HostClient;
import dev.errand.host.protocol.HostRequest;
import dev.errand.host.record.HostRecord;
import dev.errand.host.record.RecordReader;
import dev.errand.wire.home.ErrandHome;
import dev.errand.wire.time.SystemTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The host as the process that it is: outliving its daemon, and being outlived by its tasks. */
final class HostProcessTest {
  @TempDir Path root;
  private final List<Process> hosts = new ArrayList<>();

  @AfterEach
  void killHosts() {
    hosts.forEach(Process::destroyForcibly);
  }

  @Test
  void tasks_outlive_the_daemon_and_the_next_one_finds_them() throws Exception {
    start("host-1", 60_000);
    var request = shell("sleep 0.3; echo done");
    try (var first = connect("host-1")) {
      assertThat(value(first.spawn(request)).started()).isTrue();
    }

    try (var second = connect("host-1")) {
      await().until(() -> last("host-1") instanceof HostRecord.Exited);
      assertThat(HostLock.isDead(folder("host-1").path())).isFalse();
      assertThat(value(second.spawn(request)).started()).isTrue();
      value(second.shutdown(true));
    }

    assertThat(hosts.getFirst().waitFor(10, TimeUnit.SECONDS)).isTrue();
    assertThat(hosts.getFirst().exitValue()).isZero();
    assertThat(HostLock.isDead(folder("host-1").path())).isTrue();
  }

  @Test
  void what_a_killed_host_left_is_swept_by_the_next() throws Exception {
    start("host-1", 60_000);
    var request = shell("sleep 300 & wait");
    try (var client = connect("host-1")) {
      value(client.spawn(request));
    }
    var records = records("host-1");
    var tag = ((HostRecord.Intent) records.getFirst()).tag();
    var started = (HostRecord.Started) records.get(1);

    hosts.getFirst().destroyForcibly().waitFor();

    assertThat(HostLock.isDead(folder("host-1").path())).isTrue();
    assertThat(ProcFs.stat(started.pid()).filter(ProcFs.Stat::alive)).isPresent();
    start("host-2", 60_000);
    try (var client = connect("host-2")) {
      var sweep =
          new HostRequest.Sweep(
              request.id().taskId(), started.pid(), started.startTicks(), started.bootId(), tag);
      var swept = value(client.sweep(sweep));
      assertThat(swept.killed()).contains(started.pid()).hasSizeBetween(1, 2);
      assertThat(swept.survivors()).isEmpty();
    }
    assertThat(ProcFs.stat(started.pid()).filter(ProcFs.Stat::alive)).isEmpty();
  }

  @Test
  void a_host_that_nobody_needs_ends_itself() throws Exception {
    start("host-1", 300);

    assertThat(hosts.getFirst().waitFor(10, TimeUnit.SECONDS)).isTrue();
    assertThat(hosts.getFirst().exitValue()).isZero();
    assertThat(folder("host-1").path()).exists();
  }

  @Test
  void a_host_whose_folder_vanishes_kills_its_tasks_and_ends() throws Exception {
    start("host-1", 60_000);
    try (var client = connect("host-1")) {
      value(client.spawn(shell("sleep 300")));
      var started = (HostRecord.Started) records("host-1").get(1);

      Files.move(folder("host-1").path(), root.resolve("elsewhere"));

      assertThat(hosts.getFirst().waitFor(20, TimeUnit.SECONDS)).isTrue();
      assertThat(ProcFs.stat(started.pid()).filter(ProcFs.Stat::alive)).isEmpty();
    }
  }

  @Test
  void a_host_that_cannot_start_says_why() throws Exception {
    Files.createFile(root.resolve("hosts"));

    var process = launch("host-1", 60_000);

    assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isEqualTo(3);
    assertThat(Files.readString(root.resolve("host-1.err"))).contains("cannot start");
  }

  @Test
  void nothing_that_the_host_makes_is_open_to_others() throws Exception {
    start("host-1", 60_000);
    try (var client = connect("host-1")) {
      value(client.spawn(shell("echo hello")));
      await().until(() -> last("host-1") instanceof HostRecord.Exited);
    }

    for (var top : List.of("hosts", "logs")) {
      try (var all = Files.walk(root.resolve(top))) {
        for (var path : all.toList()) {
          assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
              .as(path.toString())
              .endsWith("------");
        }
      }
    }
  }

  private HostFiles folder(String id) {
    return HostFiles.of(new ErrandHome(root), id);
  }

  private void start(String id, long idleMs) throws IOException {
    var process = launch(id, idleMs);
    await().until(() -> Files.exists(folder(id).address()) || !process.isAlive());
    assertThat(process.isAlive()).as("%s runs", id).isTrue();
  }

  private Process launch(String id, long idleMs) throws IOException {
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    var process =
        new ProcessBuilder(
                java,
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-XX:-MaxFDLimit",
                "--enable-native-access=ALL-UNNAMED",
                "-Derrand.host.idle_ms=" + idleMs,
                "-cp",
                System.getProperty("java.class.path"),
                HostMain.class.getName(),
                "--home",
                root.toString(),
                "--id",
                id,
                "--journal",
                TestHost.JOURNAL,
                "--build",
                "build-1")
            .redirectOutput(root.resolve(id + ".out").toFile())
            .redirectError(root.resolve(id + ".err").toFile())
            .start();
    hosts.add(process);
    return process;
  }

  private HostClient connect(String id) throws IOException, InterruptedException {
    var client = HostClient.connect(folder(id).address(), new SystemTime(), () -> {}, () -> {});
    value(client.hello(TestHost.JOURNAL, "build-1"));
    return client;
  }

  private List<HostRecord> records(String id) throws IOException {
    try (var reader = new RecordReader(folder(id).records(), new SystemTime())) {
      return reader.next(1_000);
    }
  }

  private HostRecord last(String id) throws IOException {
    return records(id).getLast();
  }
}
