package dev.errand.host.log;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.errand.core.task.LogStream;
import dev.errand.core.task.TaskId;
import dev.errand.wire.time.SystemTime;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LogDigestTest {
  private static final TaskId TASK = new TaskId("01890a5d-ac96-774b-bcce-b302099a8057");

  private final byte[] buffer = new byte[16];

  @Test
  void what_was_left_undone_while_the_log_grew_fast_is_done_at_its_end(@TempDir Path logs)
      throws Exception {
    var log =
        new LogWriter(
            logs, TASK, LogStream.STDOUT, 0, 1 << 20, new OpenLogs(8, logs, new SystemTime()));
    var digest = new LogDigest(log, LogStream.STDOUT);
    append(log, "one\n");
    digest.follow(buffer);
    append(log, "two\nthree\n");
    append(log, "four\n");

    var end = digest.finish(buffer);

    var sha256 =
        MessageDigest.getInstance("SHA-256").digest("one\ntwo\nthree\nfour\n".getBytes(UTF_8));
    assertThat(end.sha256()).isEqualTo(HexFormat.of().formatHex(sha256));
    assertThat(end.lines()).isEqualTo(4);
  }

  @Test
  void it_tells_how_much_has_come_since_it_was_asked(@TempDir Path logs) throws Exception {
    var log =
        new LogWriter(
            logs, TASK, LogStream.STDOUT, 100, 1 << 20, new OpenLogs(8, logs, new SystemTime()));
    var digest = new LogDigest(log, LogStream.STDOUT);
    append(log, "12345");

    assertThat(digest.gained()).isEqualTo(5);
    assertThat(digest.gained()).isZero();
    append(log, "678");
    assertThat(digest.gained()).isEqualTo(3);
  }

  private static void append(LogWriter log, String text) throws IOException {
    log.append(ByteBuffer.wrap(text.getBytes(UTF_8)));
  }
}
