package dev.errand.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.errand.core.task.LogStream;
import dev.errand.wire.client.NewTask;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Nobody reads for long while a task prints megabytes each second: it does not notice. */
@Timeout(180)
final class DaemonAwayTest {

  /** {@code make torture} stays away for longer. */
  private static final int AWAY_SECONDS = Integer.getInteger("errand.away_secs", 4);

  /** About 10 MB/s: 40 pieces a second of 31,250 lines of 8 bytes each. */
  private static final int PIECE_LINES = 31_250;

  private static final int PIECES = 40 * (AWAY_SECONDS + 3);

  @Test
  void a_task_prints_on_and_all_of_it_is_there_later() throws Exception {
    try (var sandbox = Sandbox.create()) {
      sandbox.serve();
      var beats = Files.createFile(sandbox.folder().resolve("beats"));
      try (var client = sandbox.client()) {
        var taskId = client.spawn(NewTask.shell(counter(beats.toString())));
        await().atMost(Sandbox.PATIENCE).until(() -> Files.size(beats) > 0);

        sandbox.killDaemon();
        var printedBefore = Files.readAllLines(beats).size();
        Thread.sleep(Duration.ofSeconds(AWAY_SECONDS)); // This absence is what is tested.
        var printedMeanwhile = Files.readAllLines(beats).size() - printedBefore;
        sandbox.serve();

        // A task that had to wait for a reader would have stopped at a full pipe, in the first
        // piece.
        assertThat(printedMeanwhile).isGreaterThan(10 * AWAY_SECONDS);
        var recording = Recording.of(client, taskId);
        assertThat(recording.status().exitCode()).isZero();
        assertThat(recording.stdout().bytes()).isEqualTo(expected());
        assertThat(client.output(taskId, LogStream.STDERR, 0, 1).total()).isZero();
      }
    }
  }

  /** Prints numbers of seven digits, and a beat for each piece. */
  private static String counter(String beats) {
    return """
    i=0
    while [ $i -lt %d ]; do
      seq $((1000000 + i * %d)) $((1000000 + i * %d + %d))
      echo >>'%s'
      sleep 0.02
      i=$((i + 1))
    done
    """
        .formatted(PIECES, PIECE_LINES, PIECE_LINES, PIECE_LINES - 1, beats);
  }

  private static byte[] expected() throws IOException {
    var text = new StringBuilder();
    for (var number = 1_000_000; number < 1_000_000 + PIECES * PIECE_LINES; number++) {
      text.append(number).append('\n');
    }
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }
}
