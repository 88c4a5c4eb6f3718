package dev.errand.e2e;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskId;
import dev.errand.wire.client.ErrandClient;
import dev.errand.wire.client.NewTask;
import dev.errand.wire.json.FrameType;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Files are torn or changed behind our back: it is found and named, and nobody else suffers. */
@Timeout(180)
final class DamageTest {
  private static final int PAGE_BYTES = 4096;
  private static final String OTHER_BOOT = "00000000-0000-0000-0000-000000000000";

  /** Lines enough for several frames, then nothing more. */
  private static final String LINES = "seq 1 20000; echo end >&2; sleep 1000";

  /** How many bytes those lines have. */
  private static final long LINES_BYTES = 108_894;

  @Test
  void after_a_power_cut_lost_output_is_named_and_the_rest_is_whole() throws Exception {
    try (var sandbox = Sandbox.create()) {
      sandbox.serve();
      try (var client = sandbox.client()) {
        var over = client.spawn(NewTask.shell("echo over"));
        var before = Recording.of(client, over).stdout().text();
        var torn = printed(client, client.spawn(NewTask.shell(LINES)));
        var flipped = printed(client, client.spawn(NewTask.shell(LINES)));
        var whole = printed(client, client.spawn(NewTask.shell(LINES)));
        var total = client.status(whole).bytesTotal(LogStream.STDOUT);

        powerCut(sandbox, client, List.of(torn, flipped, whole));
        truncate(logOf(sandbox, torn), total / 2);
        flip(logOf(sandbox, flipped), total - 100);
        sandbox.serve();

        checkLost(client, torn, total);
        checkLost(client, flipped, total);
        assertThat(Recording.of(client, whole).ofType(FrameType.OUTPUT_LOST)).isEmpty();
        assertThat(client.status(whole).bytesTotal(LogStream.STDOUT)).isEqualTo(total);
        assertThat(Recording.of(client, over).stdout().text()).isEqualTo(before);
      }
    }
  }

  /** Everything dies at once, and the next start is one of another boot. */
  private static void powerCut(Sandbox sandbox, ErrandClient client, List<TaskId> tasks)
      throws IOException {
    var pids = tasks.stream().map(it -> client.status(it).fields().number("pid")).toList();
    sandbox.killDaemon();
    sandbox.killHosts();
    pids.forEach(pid -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly));
    await().atMost(Sandbox.PATIENCE).until(() -> pids.stream().noneMatch(Sandbox::isAlive));
    for (var file : Checkout.filesBelow(sandbox.home().hosts())) {
      if (file.endsWith("boot")) {
        Files.writeString(file, OTHER_BOOT);
      }
    }
  }

  private static TaskId printed(ErrandClient client, TaskId taskId) {
    await()
        .atMost(Sandbox.PATIENCE)
        .until(() ->
            client.status(taskId).bytesTotal(LogStream.STDERR) > 0
                && client.status(taskId).bytesTotal(LogStream.STDOUT) == LINES_BYTES);
    return taskId;
  }

  private static void checkLost(ErrandClient client, TaskId taskId, long total) {
    var status = client.waitEnd(taskId, Sandbox.PATIENCE);
    assertThat(status.error()).isEqualTo("lost");
    var lost =
        Recording.frames(client, taskId).stream()
            .filter(it -> it.type().equals(FrameType.OUTPUT_LOST))
            .toList();
    assertThat(lost).hasSize(1);
    assertThat(lost.getFirst().fields().number("from")).isBetween(0L, total - 1);
    assertThat(lost.getFirst().fields().number("to")).isEqualTo(total);
  }

  @Test
  void output_that_was_changed_or_lost_on_the_disk_is_not_served_as_good() throws Exception {
    try (var sandbox = Sandbox.create()) {
      sandbox.serve(sandbox.builder("serve", "--http", "127.0.0.1:0"));
      try (var client = sandbox.client()) {
        var flipped = ended(client, "seq 1 20000");
        var cut = ended(client, "seq 2 20000");
        var deleted = ended(client, "seq 20000 40000");
        var total = client.status(cut).bytesTotal(LogStream.STDOUT);
        // A log of one file and its artifact are one file, so that both are hurt.
        flip(logOf(sandbox, flipped), 100);
        truncate(logOf(sandbox, cut), total - 1);
        Files.delete(logOf(sandbox, deleted));

        var ofFlipped = client.status(flipped).artifactId(LogStream.STDOUT);
        assertDamaged(sandbox.get("/tasks/" + flipped + "/output?stream=stdout", ""));
        assertDamaged(sandbox.get("/logs/" + flipped + ".stdout", "bytes=90-110"));
        assertDamaged(sandbox.get("/artifacts/" + ofFlipped, "bytes=90-110"));
        assertDamaged(sandbox.get("/tasks/" + cut + "/output?tail_bytes=5", ""));
        assertThat(new String(client.output(deleted, LogStream.STDOUT, 0, 12).bytes(), UTF_8))
            .as("read from the artifact")
            .isEqualTo("20000\n20001\n");
      }
    }
  }

  @Test
  void a_cut_artifact_is_as_long_as_it_was_and_read_from_the_log_where_that_is_whole()
      throws Exception {
    try (var sandbox = Sandbox.create()) {
      sandbox.serve(sandbox.builder("serve", "--http", "127.0.0.1:0"));
      try (var client = sandbox.client()) {
        var both = ended(client, "seq 1 20000");
        truncate(logOf(sandbox, both), 100);
        var path = "/artifacts/" + client.status(both).artifactId(LogStream.STDOUT);
        assertDamaged(sandbox.get(path, "bytes=90000-90010"));
        assertDamaged(sandbox.get("/logs/" + both + ".stdout", "bytes=90000-90010"));

        var one = ended(client, "seq 2 20000");
        var sha256 = client.status(one).artifactId(LogStream.STDOUT);
        var whole = sandbox.get("/artifacts/" + sha256, "").body();
        var log = logOf(sandbox, one);
        Files.delete(log);
        Files.write(log, whole);
        truncate(sandbox.home().artifacts().resolve(sha256.substring(0, 2)).resolve(sha256), 100);
        assertThat(sandbox.get("/artifacts/" + sha256, "").body()).isEqualTo(whole);
        assertThat(sandbox.errand("doctor").out()).contains("damaged: ").contains(sha256);
        assertThat(sandbox.get("/logs/" + one + ".stdout", "").body()).isEqualTo(whole);
      }
    }
  }

  private static void assertDamaged(HttpResponse<byte[]> answer) {
    assertThat(new String(answer.body(), UTF_8)).contains("OUTPUT_DAMAGED", "next_offset");
    assertThat(answer.statusCode()).isEqualTo(500);
  }

  private static TaskId ended(ErrandClient client, String line) {
    var taskId = client.spawn(NewTask.shell(line));
    client.waitEnd(taskId, Sandbox.PATIENCE);
    return taskId;
  }

  @Test
  void a_damaged_record_of_a_dead_host_makes_its_task_lost_and_no_other() throws Exception {
    try (var sandbox = Sandbox.create()) {
      sandbox.serve();
      try (var client = sandbox.client()) {
        var over = client.spawn(NewTask.shell("echo over; exit 3"));
        assertThat(Recording.of(client, over).status().exitCode()).isEqualTo(3);
        var running = printed(client, client.spawn(NewTask.shell(LINES)));
        var pid = client.status(running).fields().number("pid");

        sandbox.killDaemon();
        sandbox.killHosts();
        var records = recordFile(sandbox);
        flip(records, 200);
        sandbox.serve();

        assertThat(Recording.of(client, over).status().exitCode()).isEqualTo(3);
        assertThat(Recording.of(client, running).status().error()).isEqualTo("lost");
        assertThat(Sandbox.isAlive(pid)).isFalse();
        var fresh = client.spawn(NewTask.shell("echo fresh"));
        assertThat(Recording.of(client, fresh).stdout().text()).isEqualTo("fresh\n");
      }
    }
  }

  @Test
  void a_damaged_record_of_a_living_host_holds_nobody_up() throws Exception {
    try (var sandbox = Sandbox.create()) {
      sandbox.serve();
      try (var client = sandbox.client()) {
        var go = sandbox.home().root().resolve("go");
        var lines = "echo a; until test -e %s; do sleep 0.05; done; echo b; exit 4".formatted(go);
        var hurt = printing(client, lines);
        var other = printing(client, lines);
        sandbox.killDaemon();
        var records = recordFile(sandbox);
        flip(records, Files.readString(records, ISO_8859_1).indexOf(hurt.value()));

        sandbox.serve();
        Files.createFile(go);

        for (var taskId : List.of(other, hurt)) {
          assertThat(client.waitEnd(taskId, Sandbox.PATIENCE).exitCode()).isEqualTo(4);
          assertThat(Recording.of(client, taskId).stdout().text()).isEqualTo("a\nb\n");
        }
      }
    }
  }

  @Test
  void a_byte_of_the_journal_costs_its_frame_and_everybody_else_goes_on() throws Exception {
    try (var sandbox = Sandbox.create()) {
      var daemon = sandbox.serve();
      try (var client = sandbox.client()) {
        var over = client.spawn(NewTask.shell("echo over; exit 3"));
        client.waitEnd(over, Sandbox.PATIENCE);
        var go = sandbox.home().root().resolve("go");
        var lines = "echo a; until test -e %s; do sleep 0.05; done; echo b; exit 4".formatted(go);
        var hurt = printing(client, lines);
        var unclaimed = printing(client, lines);
        var whole = printing(client, lines);
        var pid = client.status(unclaimed).fields().number("pid");
        stop(daemon);
        changeFrame(sandbox.home().database(), over, 2);
        changeFrame(sandbox.home().database(), hurt, 3);
        // Without this frame nobody knows that there is a process.
        changeFrame(sandbox.home().database(), unclaimed, 1);

        sandbox.serve();

        checkDamaged(client, over, 2);
        assertThat(client.status(over).exitCode()).isEqualTo(3);
        assertThat(client.status(over).fields().number("corrupt_from")).isEqualTo(2);
        assertThat(sandbox.errand("status", over.value()).out()).contains("from frame 2 on");

        checkDamaged(client, unclaimed, 1);
        assertThat(client.status(unclaimed).error()).isEqualTo("corrupt");
        assertThat(Sandbox.isAlive(pid)).isFalse();

        Files.createFile(go);
        assertThat(client.waitEnd(whole, Sandbox.PATIENCE).exitCode()).isEqualTo(4);
        assertThat(client.status(whole).fields().has("corrupt_from")).isFalse();
        assertThat(Recording.of(client, whole).stdout().text()).isEqualTo("a\nb\n");
        assertThat(client.waitEnd(hurt, Sandbox.PATIENCE).exitCode()).isEqualTo(4);
        checkDamaged(client, hurt, 3);

        assertThat(sandbox.errand("doctor").out()).contains("a damaged record: 3");
        assertThat(sandbox.errand("restart").code()).isZero();
        assertThat(sandbox.errand("doctor").out()).contains("cannot be repaired: 3");
        checkDamaged(client, over, 2);
        client.remove(over);
      }
    }
  }

  private static TaskId printing(ErrandClient client, String command) {
    var taskId = client.spawn(NewTask.shell(command));
    Sandbox.awaitOutput(client, taskId);
    return taskId;
  }

  private static void stop(Process daemon) throws InterruptedException {
    daemon.destroy();
    daemon.waitFor();
  }

  /** Every copy of it, for old ones may be left in free places of the file. */
  private static void changeFrame(Path database, TaskId taskId, long seq) throws IOException {
    var text = Files.readString(database, ISO_8859_1);
    var part = "\"stream_id\":\"%s\",\"seq\":%d,".formatted(taskId, seq);
    assertThat(text).contains(part);
    Files.writeString(database, text.replace(part, part.replace("stream", "strean")), ISO_8859_1);
  }

  private static void checkDamaged(ErrandClient client, TaskId taskId, long seq) {
    var frames = Recording.frames(client, taskId);
    for (var i = 0; i < frames.size(); i++) {
      assertThat(frames.get(i).seq()).isEqualTo(i);
      assertThat(frames.get(i).type().equals(FrameType.RECORD_DAMAGED)).isEqualTo(i == seq);
    }
    assertThat(frames.getLast().type()).isEqualTo(FrameType.STATUS);
  }

  @Test
  void a_page_of_the_journal_costs_what_lay_on_it_and_is_mended_at_the_start() throws Exception {
    try (var sandbox = Sandbox.create()) {
      var daemon = sandbox.serve();
      try (var client = sandbox.client()) {
        var over = client.spawn(NewTask.shell("seq 1 3000; exit 3"));
        client.waitEnd(over, Sandbox.PATIENCE);
        var running = printed(client, client.spawn(NewTask.shell(LINES)));
        stop(daemon);
        var database = sandbox.home().database();
        var at = Files.readString(database, ISO_8859_1).lastIndexOf(running + "\",\"seq\":0,");
        overwrite(database, at - at % PAGE_BYTES, 1);

        sandbox.serve();

        assertThat(client.status(over).exitCode()).isEqualTo(3);
        assertThat(client.status(running).status()).isIn("running", "failed");
        client.cancel(running, "enough", Sandbox.PATIENCE);
        var fresh = client.spawn(NewTask.shell("echo fresh"));
        assertThat(Recording.of(client, fresh).stdout().text()).isEqualTo("fresh\n");
        assertThat(Checkout.filesBelow(sandbox.home().root()))
            .anyMatch(it -> it.getFileName().toString().startsWith("errand.db.damaged-"));
      }
    }
  }

  @Test
  void a_journal_that_cannot_be_mended_is_refused_by_name_with_the_page_that_helps()
      throws Exception {
    try (var sandbox = Sandbox.create()) {
      var daemon = sandbox.serve();
      try (var client = sandbox.client()) {
        client.waitEnd(client.spawn(NewTask.shell("true")), Sandbox.PATIENCE);
      }
      stop(daemon);
      var database = sandbox.home().database();
      var healthy = Files.readAllBytes(database);

      for (var at : new long[] {0, PAGE_BYTES}) {
        Files.write(database, healthy);
        overwrite(database, at, 4 * PAGE_BYTES);
        var refused = sandbox.errand("serve");

        assertThat(refused.code()).as(refused.err()).isEqualTo(1);
        assertThat(refused.err())
            .contains(database.toString(), "damaged", "docs/operating/recover.md")
            .doesNotContain("\tat ");
      }
      Files.write(database, healthy);
    }
  }

  private static Path logOf(Sandbox sandbox, TaskId taskId) {
    return Checkout.filesBelow(sandbox.home().logs()).stream()
        .filter(it -> it.toString().contains(taskId.value()))
        .filter(it -> it.getFileName().toString().startsWith("stdout"))
        .findFirst()
        .orElseThrow();
  }

  private static Path recordFile(Sandbox sandbox) {
    return Checkout.filesBelow(sandbox.home().hosts()).stream()
        .filter(it -> it.toString().endsWith(".rec"))
        .findFirst()
        .orElseThrow();
  }

  private static void truncate(Path file, long size) throws IOException {
    try (var channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.truncate(size);
    }
  }

  private static void flip(Path file, long at) throws IOException {
    try (var channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      var one = ByteBuffer.allocate(1);
      channel.read(one, at);
      one.put(0, (byte) (one.get(0) ^ 1));
      channel.write(one.rewind(), at);
    }
  }

  private static void overwrite(Path file, long at, int bytes) throws IOException {
    try (var channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      var rubbish = new byte[bytes];
      Arrays.fill(rubbish, (byte) 0x5a);
      channel.write(ByteBuffer.wrap(rubbish), at);
    }
  }
}
