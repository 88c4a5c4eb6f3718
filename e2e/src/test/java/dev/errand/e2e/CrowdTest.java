package dev.errand.e2e;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.errand.core.task.TaskId;
import dev.errand.wire.client.EventFrame;
import dev.errand.wire.client.NewTask;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Many subscribers cost the task that they follow nothing, and cost the daemon no thread each. Ten
 * thousand of them are measured by {@code make bench B="subscribers onlookers"}.
 */
@Timeout(120)
final class CrowdTest extends DaemonCase {
  private static final int QUICK = 100;
  private static final int DEAF = 20;
  private static final int IDLE = 300;
  private static final int TASKS = 30;

  /** Those that serve all come when there is work, and compilers with them. */
  private static final int THREADS_MORE_MAX = IDLE / 5;

  private final List<SocketChannel> deaf = new ArrayList<>();

  @AfterEach
  void leave() throws IOException {
    for (var channel : deaf) {
      channel.close();
    }
  }

  /** Asks for the frames of a task, and never reads one. */
  private void subscribe(TaskId taskId) throws IOException {
    var channel = SocketChannel.open(UnixDomainSocketAddress.of(sandbox.home().socket()));
    deaf.add(channel);
    var request = "GET /tasks/" + taskId + "/events HTTP/1.1\r\nHost: errand\r\n\r\n";
    channel.write(ByteBuffer.wrap(request.getBytes(US_ASCII)));
  }

  private static void awaitFollowers(int count) {
    await()
        .atMost(Sandbox.PATIENCE)
        .until(() -> client.metrics().contains("\nerrand_followers " + count + "\n"));
  }

  @Test
  void all_who_read_see_everything_beside_some_who_never_do() throws Exception {
    // More than a socket holds, in frames that are not merged as those of a flood are.
    var lines = "for i in $(seq 1 40); do head -c 8000 /dev/zero | tr '\\0' x; sleep 0.02; done";
    var taskId = client.spawn(NewTask.shell("read _; " + lines).withStdin());
    for (var i = 0; i < DEAF; i++) {
      subscribe(taskId);
    }
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var quick = new ArrayList<Callable<List<String>>>();
      for (var i = 0; i < QUICK; i++) {
        quick.add(() -> frames(taskId));
      }
      var seen = quick.stream().map(threads::submit).toList();
      awaitFollowers(QUICK + DEAF);

      client.stdin(taskId, new byte[] {'\n'}, true);

      var recorded = Recording.of(client, taskId).frames().stream().map(EventFrame::text).toList();
      assertThat(recorded).hasSizeGreaterThan(20);
      for (var each : seen) {
        assertThat(each.get()).isEqualTo(recorded);
      }
    }
  }

  private static List<String> frames(TaskId taskId) {
    var frames = new ArrayList<String>();
    client.events(taskId, -1, it -> frames.add(it.text()));
    return frames;
  }

  @Test
  void who_only_waits_has_no_thread_of_its_own() throws Exception {
    var tasks = new ArrayList<TaskId>();
    for (var i = 0; i < TASKS; i++) {
      tasks.add(client.spawn(NewTask.shell("read _").withStdin()));
    }
    subscribe(tasks.getFirst());
    awaitFollowers(1);
    var before = threads();
    for (var i = 1; i < IDLE; i++) {
      subscribe(tasks.get(i % TASKS));
    }
    awaitFollowers(IDLE);

    assertThat(threads()).isLessThan(before + THREADS_MORE_MAX);
    tasks.forEach(it -> client.cancel(it, null, null));
  }

  private static int threads() throws IOException {
    var status = Files.readString(Path.of("/proc/" + sandbox.daemonPid() + "/status"));
    return Integer.parseInt(status.replaceAll("(?s).*\nThreads:\\s+(\\d+).*", "$1"));
  }
}
