package dev.errand.e2e;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskId;
import dev.errand.wire.client.NewTask;
import dev.errand.wire.json.FrameType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The kernel says that a sync failed. It may say yes to the next one and have dropped the data, so
 * nothing may be acknowledged any more.
 */
@Timeout(120)
final class FailedSyncTest {
  private static final int JOURNAL_FAILED = 70;

  @Test
  void the_daemon_ends_without_an_acknowledgement_and_the_next_one_starts_the_task_once()
      throws Exception {
    try (var sandbox = Sandbox.create()) {
      var daemon = sandbox.serve();
      var ran = Files.createFile(sandbox.folder().resolve("ran"));
      var task = NewTask.shell("echo once >>'" + ran + "'");
      try (var client = sandbox.client();
          var threads = Executors.newVirtualThreadPerTaskExecutor()) {
        assertThat(client.isReady()).isTrue();
        Future<TaskId> spawned;
        try (var _ = FaultyKernel.forProcess(daemon.pid(), "fsync,fdatasync", "error=EIO:when=1")) {
          spawned = threads.submit(() -> client.spawn(task, "the-key"));
          assertThat(daemon.waitFor(Sandbox.PATIENCE)).isTrue();
        }
        assertThat(daemon.exitValue()).isEqualTo(JOURNAL_FAILED);
        assertThat(Files.readString(sandbox.home().daemonLog())).contains("the journal failed");
        sandbox.serve();
        await().atMost(Sandbox.PATIENCE).until(spawned::isDone);

        var taskId = client.spawn(task, "the-key");
        assertThat(Recording.of(client, taskId).status().exitCode()).isZero();
        assertThat(Files.readAllLines(ran)).containsExactly("once");
      }
    }
  }

  @Test
  void a_log_whose_sync_failed_once_is_not_trusted_to_the_end_of_its_task() throws Exception {
    try (var sandbox = Sandbox.create()) {
      sandbox.serve();
      var first = sandbox.folder().resolve("first");
      var second = sandbox.folder().resolve("second");
      try (var client = sandbox.client()) {
        var command = awaiting(first) + "; echo said; " + awaiting(second) + "; echo more";
        var taskId = client.spawn(NewTask.shell(command));
        await().until(() -> client.status(taskId).status().equals("running"));
        var host = sandbox.hostPids().getFirst();
        var syncing = FaultyKernel.threads(host, "host-sync");
        try (var _ = FaultyKernel.forThreads(syncing, "fdatasync", "error=EIO:when=1")) {
          Files.createFile(first);
          await().atMost(Sandbox.PATIENCE).until(() -> hostLog(sandbox).contains("a log: "));
        }
        Files.createFile(second);

        var lost = Recording.of(client, taskId).ofType(FrameType.OUTPUT_LOST);
        assertThat(lost).hasSize(1);
        assertThat(lost.getFirst().fields().number("from")).isZero();
        assertThat(lost.getFirst().fields().number("to")).isEqualTo("said\nmore\n".length());
      }
    }
  }

  private static String awaiting(Path file) {
    return "until [ -e '" + file + "' ]; do sleep 0.05; done";
  }

  private static String hostLog(Sandbox sandbox) {
    return Checkout.filesBelow(sandbox.home().hosts()).stream()
        .filter(it -> it.endsWith("host.log"))
        .map(Checkout::read)
        .collect(joining());
  }

  /** SQLite syncs by another call, so it is the later one that fails here. */
  @Test
  void what_was_told_before_its_sync_is_synced_soon_or_the_daemon_ends() throws Exception {
    try (var sandbox = Sandbox.create()) {
      var daemon = sandbox.serve();
      var go = sandbox.folder().resolve("go");
      try (var client = sandbox.client()) {
        var taskId = client.spawn(NewTask.shell(awaiting(go) + "; echo said; exec sleep 60"));
        await().until(() -> client.status(taskId).status().equals("running"));
        try (var _ = FaultyKernel.forProcess(daemon.pid(), "fdatasync", "error=EIO:when=1")) {
          Files.createFile(go);
          assertThat(daemon.waitFor(Sandbox.PATIENCE)).isTrue();
        }
        assertThat(daemon.exitValue()).isEqualTo(JOURNAL_FAILED);

        sandbox.serve();
        await()
            .atMost(Sandbox.PATIENCE)
            .until(() -> client.output(taskId, LogStream.STDOUT, 0, 10).total() == 5);
        assertThat(client.status(taskId).status()).isEqualTo("running");
      }
    }
  }
}
