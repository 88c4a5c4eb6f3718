package dev.errand.host;

import static dev.errand.host.TestHost.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import dev.errand.core.task.Command;
import dev.errand.core.task.ResourceLimits;
import dev.errand.host.linux.OwnProcess;
import dev.errand.host.linux.ProcFs;
import dev.errand.host.protocol.HostClient;
import dev.errand.host.protocol.HostRequest;
import dev.errand.host.record.AttemptId;
import dev.errand.host.record.HostRecord;
import dev.errand.host.record.RecordReader;
import dev.errand.wire.home.ErrandHome;
import dev.errand.wire.time.SystemTime;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A tree that does all it can to survive, under a host of this user and under one of nobody. */
final class HostileTreeTest {
  private static final String NOBODY = "65534";

  /** Each sleeps for a time of its own, by which it is known whatever it calls itself. */
  private static final String SCRIPT =
      """
      trap '' HUP
      set -m
      sleep $BASE.1 &
      set +m
      setsid sleep $BASE.2 &
      (setsid sh -c "sleep $BASE.3 &" &)
      setsid env -i sleep $BASE.4 &
      (trap '' TERM; nohup sleep $BASE.5 >/dev/null 2>&1 &)
      sleep $BASE.6 <&- >&- 2>&- &
      (exec -a innocent sleep $BASE.7) &
      echo ready
      wait
      sleep $BASE.8
      """;

  @TempDir Path folder;
  private final String base = Long.toString(ThreadLocalRandom.current().nextLong(100_000, 999_999));
  private @Nullable Process process;

  @BeforeEach
  void openFolder() throws IOException {
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  @AfterEach
  void killHost() {
    var started = process;
    if (started != null) {
      started.destroyForcibly();
    }
  }

  @ParameterizedTest
  @EnumSource
  void all_of_it_is_dead_when_the_cancel_is_done(Command.ExecutionMode mode) throws Exception {
    start(List.of());

    assertTreeDies(mode);
  }

  @ParameterizedTest
  @EnumSource
  void all_of_it_is_dead_for_a_plain_user_too(Command.ExecutionMode mode) throws Exception {
    startAsNobody();

    assertTreeDies(mode);
  }

  @Test
  void without_a_group_a_plain_user_can_be_limited_in_processes_and_memory() throws Exception {
    startAsNobody();
    try (var client = connect()) {
      assertThat(Files.readString(host().limits())).contains("limits.processes=rlimit");
      var many = "i=0; while [ $i -lt 100 ]; do sleep 1 & i=$((i+1)); done; echo all";
      var request =
          spawn(client, List.of("sh", "-c", many), new ResourceLimits(null, 20L, null, null, null));
      assertThat(awaitExit(request).code()).isNotZero();
      var much = "x=$(head -c 200000000 /dev/zero | tr '\\0' x); echo ${#x}";
      var limits = new ResourceLimits(64L << 20, null, null, null, null);
      var large = spawn(client, List.of("bash", "-c", much), limits);
      assertThat(awaitExit(large).code()).isNotZero();
    }
  }

  private void startAsNobody() throws Exception {
    assumeThat(OwnProcess.isSuperuser()).as("running as root").isTrue();
    assumeThat(new File("/usr/bin/setpriv")).as("setpriv of util-linux").exists();
    start(List.of("/usr/bin/setpriv", "--reuid=" + NOBODY, "--regid=" + NOBODY, "--clear-groups"));
  }

  private void assertTreeDies(Command.ExecutionMode mode) throws Exception {
    var script = folder.resolve("hostile.sh");
    Files.writeString(script, SCRIPT);
    try (var client = connect()) {
      var words = List.of("bash", script.toString());
      var id = spawn(client, mode, words, ResourceLimits.NONE);
      await().until(() -> members().size() == 7);

      value(client.cancel(new HostRequest.Cancel(id, null, "test")));

      var exited = awaitExit(id);
      assertThat(members()).isEmpty();
      assertThat(exited.survivors()).isEmpty();
      assertThat(exited.cause()).isEqualTo("cancel");
    }
  }

  /** The command lines of those that still live. */
  private List<String> members() throws IOException {
    var members = new ArrayList<String>();
    for (var pid : ProcFs.pids()) {
      try {
        var line = Files.readString(Path.of("/proc/" + pid + "/cmdline"));
        var alive = ProcFs.stat(pid).filter(ProcFs.Stat::alive).isPresent();
        if (line.contains(base + ".") && line.contains("\0") && !line.startsWith("sh\0") && alive) {
          members.add(line);
        }
      } catch (IOException _) {
        // It is gone.
      }
    }
    return members;
  }

  private AttemptId spawn(HostClient client, List<String> words, ResourceLimits resources)
      throws Exception {
    return spawn(client, Command.ExecutionMode.PIPES, words, resources);
  }

  private AttemptId spawn(
      HostClient client, Command.ExecutionMode mode, List<String> words, ResourceLimits resources)
      throws Exception {
    var program = new HostRequest.Program.Argv(words);
    var plain = TestHost.request(program, TestHost.limits(resources), false, Map.of("BASE", base));
    var request = TestHost.in(mode, plain);
    assertThat(value(client.spawn(request)).started()).isTrue();
    return request.id();
  }

  private HostRecord.Exited awaitExit(AttemptId id) throws Exception {
    var found = new ArrayList<HostRecord.Exited>();
    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> {
          try (var reader = new RecordReader(host().records(), new SystemTime())) {
            for (var it : reader.next(1_000)) {
              if (it instanceof HostRecord.Exited exited && it.taskId().equals(id.taskId())) {
                found.add(exited);
              }
            }
          }
          return !found.isEmpty();
        });
    return found.getFirst();
  }

  private HostFiles host() {
    return HostFiles.of(new ErrandHome(folder.resolve("home")), "host-1");
  }

  private HostClient connect() throws Exception {
    var client = HostClient.connect(host().address(), new SystemTime(), () -> {}, () -> {});
    value(client.hello(TestHost.JOURNAL, "build-1"));
    return client;
  }

  /** The program is copied, since another user may not read where it was built. */
  private void start(List<String> as) throws Exception {
    var home = Files.createDirectory(folder.resolve("home"));
    var classes = Files.createDirectory(folder.resolve("classes"));
    var copies = new ArrayList<String>();
    for (var entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      if (entry.isEmpty()) {
        continue;
      }
      var copy = classes.resolve(copies.size() + "-" + Path.of(entry).getFileName());
      run("cp", "-r", entry, copy.toString());
      copies.add(copy.toString());
    }
    run("chmod", "-R", "a+rX", classes.toString());
    Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwx------"));
    if (!as.isEmpty()) {
      run("chown", NOBODY + ":" + NOBODY, home.toString());
    }
    var words = new ArrayList<>(as);
    words.addAll(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx128m",
            "-XX:+UseSerialGC",
            "-XX:-UsePerfData",
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            copies.stream().collect(Collectors.joining(File.pathSeparator)),
            HostMain.class.getName(),
            "--home",
            home.toString(),
            "--id",
            "host-1",
            "--journal",
            TestHost.JOURNAL,
            "--build",
            "build-1"));
    var err = folder.resolve("host.err").toFile();
    var started = new ProcessBuilder(words).redirectErrorStream(true).redirectOutput(err).start();
    process = started;
    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> Files.exists(host().address()) || !started.isAlive());
    assertThat(started.isAlive()).as(() -> read(err)).isTrue();
  }

  private static String read(File file) {
    try {
      return Files.readString(file.toPath(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      return e.toString();
    }
  }

  private static void run(String... words) throws Exception {
    assertThat(new ProcessBuilder(words).inheritIO().start().waitFor()).isZero();
  }
}
