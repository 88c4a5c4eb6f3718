package dev.errand.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskId;
import dev.errand.wire.client.EventFrame;
import dev.errand.wire.client.NewTask;
import dev.errand.wire.client.OutputSink;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whenever and however often one subscribes, the frames and the bytes are the same. */
@Timeout(120)
final class SubscribersTest extends DaemonCase {
  private static final long SEED = 7;

  /** On both streams, in pieces that end anywhere, with characters of several bytes. */
  private static final String CHATTER =
      "for i in $(seq 1 120); do printf \"$i grüße €\"; printf \"$i oops\\n\" >&2; "
          + "[ $((i % 10)) = 0 ] && sleep 0.1; done; exit 2";

  @Test
  void live_late_and_resumed_subscribers_see_identical_frames() throws Exception {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var taskId = client.spawn(NewTask.shell(CHATTER));
      var live = threads.submit(() -> live(taskId));
      var resumed = threads.submit(() -> resumed(taskId));

      var recording = Recording.of(client, taskId);

      var recorded = recording.frames().stream().map(EventFrame::text).toList();
      assertThat(live.get()).isEqualTo(recorded);
      assertThat(resumed.get()).isEqualTo(recorded);
      assertThat(live(taskId)).as("late").isEqualTo(recorded);
      assertThat(resumed(taskId)).as("late and resumed").isEqualTo(recorded);
    }
  }

  private static List<String> live(TaskId taskId) {
    var frames = new ArrayList<String>();
    client.events(taskId, -1, it -> frames.add(it.text()));
    return frames;
  }

  /** Cuts its stream after a few frames and comes back behind the last one, again and again. */
  private static List<String> resumed(TaskId taskId) {
    var random = new Random(SEED);
    var frames = new ArrayList<String>();
    var last = -1L;
    while (true) {
      try (var events = client.events(taskId, last)) {
        for (var left = random.nextInt(12); left >= 0; left--) {
          var frame = events.next();
          assertThat(frame).as("a frame behind %d", last).isNotNull();
          frames.add(frame.text());
          last = frame.seq();
          if (frame.isTerminal()) {
            return frames;
          }
        }
      }
    }
  }

  @Test
  void the_bytes_that_followers_get_are_those_of_the_log() throws Exception {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var taskId = client.spawn(NewTask.shell(CHATTER));
      var live = threads.submit(() -> Bytes.following(taskId));

      var recording = Recording.of(client, taskId);

      for (var bytes : List.of(live.get(), Bytes.following(taskId))) {
        assertThat(bytes.stdout.toByteArray()).isEqualTo(recording.stdout().bytes());
        assertThat(bytes.stderr.toByteArray()).isEqualTo(recording.stderr().bytes());
      }
      assertThat(recording.stdout().text())
          .startsWith("1 grüße €2 grüße €")
          .endsWith("120 grüße €");
      assertThat(recording.stderr().lines()).hasSize(120);
    }
  }

  /** What one follower was given; the offsets must leave nothing out. */
  private static final class Bytes implements OutputSink {
    private final ByteArrayOutputStream stdout = new ByteArrayOutputStream();
    private final ByteArrayOutputStream stderr = new ByteArrayOutputStream();

    static Bytes following(TaskId taskId) {
      var bytes = new Bytes();
      client.follow(taskId, -1, bytes);
      return bytes;
    }

    @Override
    public void output(LogStream stream, long offset, byte[] bytes) {
      var log = stream == LogStream.STDERR ? stderr : stdout;
      assertThat(offset).isEqualTo(log.size());
      log.writeBytes(bytes);
    }
  }

  @Test
  void a_subscriber_learns_when_it_has_caught_up() {
    var taskId = client.spawn(NewTask.shell("echo one; read -r line").withStdin());
    try (var events = client.events(taskId, -1)) {
      var frames = new ArrayList<EventFrame>();
      while (frames.isEmpty() || !frames.getLast().isTerminal()) {
        var frame = events.next();
        assertThat(frame).isNotNull();
        frames.add(frame);
        if (frame.fields().text("chunk", "").equals("one\n")) {
          client.stdin(taskId, new byte[0], true);
        }
      }
      assertThat(events.caughtUp()).as("the mark came before the live frames").isTrue();
      assertThat(events.next()).as("nothing follows the terminal frame").isNull();
    }
  }
}
