package dev.errand.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.errand.core.task.LogStream;
import dev.errand.wire.client.NewTask;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A program that prints much and exits in the same breath: the last byte is stored, each time. */
@Timeout(3_600)
final class LastByteTest {

  /** {@code make torture} takes a gibibyte a hundred times. */
  private static final long BYTES = Long.getLong("errand.last_byte_mib", 48) << 20;

  private static final int TIMES = Integer.getInteger("errand.last_byte_times", 3);
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  @Test
  void all_of_it_is_stored_before_the_end_is_told() throws Exception {
    var digest = digestOfLines();
    try (var sandbox = Sandbox.create("durability = \"normal\"\n")) {
      sandbox.serve();
      try (var client = sandbox.client()) {
        for (var i = 0; i < TIMES; i++) {
          var taskId = client.spawn(NewTask.shell("yes | head -c " + BYTES));

          var status = client.waitEnd(taskId, PATIENCE);

          assertThat(status.exitCode()).isZero();
          assertThat(status.bytesTotal(LogStream.STDOUT)).isEqualTo(BYTES);
          var log = status.fields().object("artifacts").object("logs").object("stdout");
          assertThat(log.text("artifact_id")).as("the SHA-256 of its log").isEqualTo(digest);
          client.remove(taskId);
        }
      }
    }
  }

  private static String digestOfLines() throws Exception {
    var digest = MessageDigest.getInstance("SHA-256");
    var piece = "y\n".repeat(1 << 19).getBytes(StandardCharsets.US_ASCII);
    for (var left = BYTES; left > 0; left -= piece.length) {
      digest.update(piece, 0, (int) Math.min(left, piece.length));
    }
    return HexFormat.of().formatHex(digest.digest());
  }
}
