package dev.errand.daemon.hostlink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.errand.core.task.End;
import dev.errand.core.task.TaskId;
import dev.errand.core.task.TaskState;
import dev.errand.daemon.engine.EngineFixture;
import dev.errand.host.protocol.Answer;
import dev.errand.host.protocol.HostClient;
import dev.errand.host.protocol.HostReply;
import dev.errand.host.protocol.HostRequest;
import dev.errand.host.protocol.RefusalCode;
import dev.errand.host.record.HostRecord;
import dev.errand.host.record.RecordWriter;
import dev.errand.host.record.Stamp;
import dev.errand.wire.time.SystemTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A host is dead, and another one hunts for it. */
@Timeout(60)
final class HostPoolTest {
  private final LinkFixture fixture;
  private final HostFolder dead;
  private final HostFolder hunter;
  private final List<HostRequest.Sweep> hunts = new CopyOnWriteArrayList<>();
  private final AtomicInteger failures = new AtomicInteger();

  HostPoolTest(@TempDir Path home) throws IOException {
    this.fixture = new LinkFixture(home);
    this.dead = fixture.deadHostFolder(EngineFixture.HOST);
    this.hunter = fixture.hostFolder("host-z");
  }

  private CompletionStage<Answer<HostReply>> answer(HostRequest request) {
    return CompletableFuture.completedFuture(
        switch (request) {
          case HostRequest.Hello _ -> new Answer.Done<>(welcome());
          case HostRequest.Sweep it -> hunt(it);
          default -> new Answer.Done<>(new HostReply.Ok());
        });
  }

  private static HostReply welcome() {
    return new HostReply.Welcome(
        HostClient.PROTOCOL, "host-z", LinkFixture.BUILD, "boot", 1, List.of(), 0);
  }

  private Answer<HostReply> hunt(HostRequest.Sweep request) {
    if (failures.getAndDecrement() > 0) {
      return new Answer.Refused<>(RefusalCode.INTERNAL, "not now", 0);
    }
    hunts.add(request);
    return new Answer.Done<>(new HostReply.Swept(List.of(4711L), List.of()));
  }

  @Test
  void a_hunt_that_fails_is_tried_again_until_no_task_is_left_in_between() throws Exception {
    var taskId = fixture.tasks.running();
    failures.set(2);
    try (var _ = LinkFixture.listen(hunter, this::answer);
        var pool = fixture.pool()) {
      pool.recover();

      assertThat(lost(taskId).killed()).containsExactly(4711L);
      await().until(() -> !Files.exists(dead.path()));
    }
  }

  @Test
  void an_attempt_of_which_the_dead_host_wrote_nothing_is_queued_again() throws Exception {
    var taskId = fixture.tasks.claimed();
    try (var _ = LinkFixture.listen(hunter, this::answer);
        var pool = fixture.pool()) {
      pool.recover();

      await().until(() -> fixture.tasks.state(taskId) instanceof TaskState.Queued);
      assertThat(hunts).isEmpty();
    }
  }

  @Test
  void an_attempt_with_an_intent_is_hunted_by_its_tag_in_this_boot() throws Exception {
    var taskId = fixture.tasks.claimed();
    try (var writer = RecordWriter.open(dead.records(), 1 << 20, () -> {}, new SystemTime())) {
      writer.append(new HostRecord.Intent(stamp(taskId, 1), 7));
    }
    try (var _ = LinkFixture.listen(hunter, this::answer);
        var pool = fixture.pool()) {
      pool.recover();

      lost(taskId);
      assertThat(hunts).containsExactly(new HostRequest.Sweep(taskId, 0, 0, Boot.currentId(), 7));
    }
  }

  @Test
  void where_records_are_damaged_an_attempt_counts_as_begun() throws Exception {
    var taskId = fixture.tasks.claimed();
    var running = fixture.tasks.running();
    damageRecords(running);
    try (var _ = LinkFixture.listen(hunter, this::answer);
        var pool = fixture.pool()) {
      pool.recover();

      lost(running);
      lost(taskId);
      assertThat(hunts).contains(new HostRequest.Sweep(taskId, 0, 0, Boot.currentId(), 0));
    }
  }

  @Test
  void a_host_that_dies_while_it_is_started_leaves_no_folder() throws Exception {
    var launcher = fixture.home().root().resolve("launcher");
    // The arguments are: host --home HOME --id ID and more. Once its lock is free it counts as
    // dead.
    Files.writeString(launcher, "echo it burns >&2; touch \"$3/hosts/$5/lock\"; exit 1");
    try (var pool = fixture.pool(List.of("/bin/sh", launcher.toString()))) {
      assertThatThrownBy(pool::recover).hasMessageContaining("it burns");

      await().until(this::folders, List.of(dead.path(), hunter.path())::containsAll);
    }
  }

  private List<Path> folders() throws IOException {
    try (var list = Files.list(fixture.home().hosts())) {
      return list.toList();
    }
  }

  /** Two segments, of which the first ends in the middle of a record. */
  private void damageRecords(TaskId taskId) throws IOException {
    try (var writer = RecordWriter.open(dead.records(), 1, () -> {}, new SystemTime())) {
      writer.append(new HostRecord.Signalled(stamp(taskId, 3), "op", "INT", "ann"));
      writer.append(new HostRecord.Signalled(stamp(taskId, 4), "op", "INT", "ann"));
    }
    var first = dead.records().resolve("0000000000000001.rec");
    var bytes = Files.readAllBytes(first);
    bytes[bytes.length - 1] ^= 1;
    Files.write(first, bytes);
  }

  private End.Lost lost(TaskId taskId) {
    await().until(() -> fixture.tasks.state(taskId) instanceof TaskState.Ended);
    return (End.Lost) ((TaskState.Ended) fixture.tasks.state(taskId)).end();
  }

  private static Stamp stamp(TaskId taskId, long n) {
    return new Stamp(taskId, 1, n, 1_000 + n);
  }
}
