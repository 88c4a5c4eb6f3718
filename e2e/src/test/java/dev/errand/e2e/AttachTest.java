package dev.errand.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskId;
import dev.errand.wire.client.AttachEvent;
import dev.errand.wire.client.AttachOptions;
import dev.errand.wire.client.Attachment;
import dev.errand.wire.client.ErrandClient;
import dev.errand.wire.json.JsonWriter;
import java.io.ByteArrayOutputStream;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Attached to the terminals of real processes, across everything that may happen meanwhile. */
@Timeout(180)
final class AttachTest {
  private static final AttachOptions FROM_START = AttachOptions.TERMINAL.from(0);

  static TaskId spawn(ErrandClient client, String line) {
    var body =
        JsonWriter.object(out ->
            out.text("tool", "bash")
                .object("args", args -> args.text("command", line))
                .text("execution_mode", "pty"));
    return client.spawn(body, UUID.randomUUID().toString());
  }

  private static byte[] log(ErrandClient client, TaskId taskId) {
    var log = new ByteArrayOutputStream();
    for (var part = client.output(taskId, LogStream.PTY, 0, 1 << 20);
        part.bytes().length > 0;
        part = client.output(taskId, LogStream.PTY, log.size(), 1 << 20)) {
      log.writeBytes(part.bytes());
    }
    return log.toByteArray();
  }

  /** All bytes up to the end of the task. */
  private static byte[] all(Attachment attachment, AtomicInteger count) {
    var seen = new ByteArrayOutputStream();
    for (var event = attachment.next(); event != null; event = attachment.next()) {
      if (event instanceof AttachEvent.Output(var offset, var bytes)) {
        assertThat(offset).isEqualTo(seen.size());
        seen.writeBytes(bytes);
        count.addAndGet(bytes.length);
      }
    }
    return seen.toByteArray();
  }

  @Test
  void who_leaves_and_comes_back_during_output_misses_nothing_and_sees_nothing_twice()
      throws Exception {
    try (var sandbox = Sandbox.create()) {
      sandbox.up();
      try (var client = sandbox.client()) {
        var taskId =
            spawn(client, "for i in $(seq 1 400); do echo line $i; sleep 0.005; done; seq 9");
        var seen = new ByteArrayOutputStream();
        var visits = 0;
        var over = false;
        while (!over) {
          visits++;
          try (var attachment = client.attach(taskId, AttachOptions.TERMINAL.from(seen.size()))) {
            over = visit(attachment, seen);
          }
        }
        assertThat(visits).isGreaterThan(3);
        assertThat(seen.toByteArray()).isEqualTo(log(client, taskId));
        assertThat(seen.toString(UTF_8)).contains("line 400\r\n").endsWith("9\r\n");
      }
    }
  }

  /** Stays for a few messages; whether the end was among them. */
  private static boolean visit(Attachment attachment, ByteArrayOutputStream seen) {
    for (var i = 0; i < 3; i++) {
      switch (attachment.next()) {
        case AttachEvent.Output(var offset, var bytes) -> {
          assertThat(offset).isEqualTo(seen.size());
          seen.writeBytes(bytes);
        }
        case AttachEvent.Ended _ -> {
          return true;
        }
        case null, default -> {}
      }
    }
    return false;
  }

  @Test
  void a_client_comes_back_by_itself_when_the_daemon_is_killed_and_loses_no_key() throws Exception {
    try (var sandbox = Sandbox.create();
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var daemon = sandbox.serve();
      try (var client = sandbox.client()) {
        var taskId = spawn(client, "stty -echo; echo ready; cat");
        var attachment = client.attach(taskId, FROM_START);
        var count = new AtomicInteger();
        var seen = threads.submit(() -> all(attachment, count));
        await().atMost(Sandbox.PATIENCE).until(() -> count.get() >= "ready\r\n".length());
        for (var i = 0; i < 300; i++) {
          attachment.type((i + "\n").getBytes(UTF_8));
          if (i == 100 || i == 200) {
            daemon.destroyForcibly().waitFor();
          }
          if (i == 150 || i == 250) {
            daemon = sandbox.serve();
          }
        }
        attachment.type(new byte[] {4});
        var due =
            "ready\r\n"
                + IntStream.range(0, 300).mapToObj(i -> i + "\r\n").collect(Collectors.joining());
        assertThat(new String(seen.get(), UTF_8)).isEqualTo(due);
        assertThat(log(client, taskId)).isEqualTo(seen.get());
      }
      daemon.destroy();
      daemon.waitFor();
    }
  }

  @Test
  void several_see_the_same_and_who_came_late_sees_the_recorded_stream() throws Exception {
    try (var sandbox = Sandbox.create();
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      sandbox.up();
      try (var client = sandbox.client()) {
        var gate = sandbox.folder().resolve("gate");
        var taskId =
            spawn(
                client,
                "i=0; while [ ! -e '%s' ]; do i=$((i+1)); echo $i; sleep 0.01; done; exit 3"
                    .formatted(gate));
        var watchers = new ArrayList<Future<byte[]>>();
        var count = new AtomicInteger();
        for (var i = 0; i < 5; i++) {
          watchers.add(threads.submit(watcher(client, taskId, count)));
        }
        await().atMost(Sandbox.PATIENCE).until(() -> count.get() > 2_000);
        Files.createFile(gate);
        var due = log(client, client.waitEnd(taskId, Sandbox.PATIENCE).taskId());
        watchers.add(threads.submit(watcher(client, taskId, count)));
        for (var watcher : watchers) {
          assertThat(watcher.get()).isEqualTo(due);
        }
      }
    }
  }

  private static Callable<byte[]> watcher(ErrandClient client, TaskId taskId, AtomicInteger count) {
    return () -> {
      try (var attachment = client.attach(taskId, FROM_START.viewing())) {
        return all(attachment, count);
      }
    };
  }

  @Test
  void the_last_who_typed_decides_the_size_and_all_are_told() throws Exception {
    try (var sandbox = Sandbox.create()) {
      sandbox.up();
      try (var client = sandbox.client()) {
        var taskId = spawn(client, "stty -echo; while read _; do stty size; done");
        try (var small = client.attach(taskId, FROM_START.sized(20, 60));
            var large = client.attach(taskId, FROM_START.sized(50, 150))) {
          expect(small, "", AttachEvent.Connected.class);
          expect(large, "", AttachEvent.Connected.class);
          small.type(new byte[] {'\n'});
          expect(small, "20 60\r\n", AttachEvent.Output.class);
          large.type(new byte[] {'\n'});
          expect(small, "50 150\r\n", AttachEvent.Output.class);
          large.resize(51, 151);
          small.resize(21, 61);
          awaitSize(large, 21, 61);
          large.type(new byte[] {'\n'});
          expect(small, "51 151\r\n", AttachEvent.Output.class);
        }
        assertThat(client.status(taskId).fields().number("rows")).isEqualTo(51);
      }
    }
  }

  private static void awaitSize(Attachment attachment, int rows, int cols) {
    for (var event = attachment.next(); event != null; event = attachment.next()) {
      if (event instanceof AttachEvent.Resized(var newRows, var newCols, _, _)
          && newRows == rows
          && newCols == cols) {
        return;
      }
    }
    throw new AssertionError("it was never of this size");
  }

  /** Reads on until an event of this sort, whose output ends so. */
  private static void expect(Attachment attachment, String end, Class<? extends AttachEvent> type) {
    var seen = new StringBuilder();
    for (var event = attachment.next(); event != null; event = attachment.next()) {
      if (event instanceof AttachEvent.Output(_, var bytes)) {
        seen.append(new String(bytes, UTF_8));
      }
      if (type.isInstance(event) && seen.toString().endsWith(end)) {
        return;
      }
    }
    throw new AssertionError("it ended with " + seen);
  }
}
