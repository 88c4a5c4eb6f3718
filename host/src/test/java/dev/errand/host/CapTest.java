package dev.errand.host;

import static dev.errand.host.TestHost.only;
import static dev.errand.host.TestHost.shell;
import static org.assertj.core.api.Assertions.assertThat;

import dev.errand.core.task.LogStream;
import dev.errand.host.log.LogRead;
import dev.errand.host.protocol.HostRequest;
import dev.errand.host.record.Extent;
import dev.errand.host.record.HostRecord;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Output beyond the cap: the head stays, the tail moves on, and the gap is told. */
final class CapTest {
  private static final long CAP = 1 << 20;

  @TempDir Path home;
  private TestHost host;

  @BeforeEach
  void start() throws Exception {
    host = TestHost.start(home);
  }

  @AfterEach
  void stop() throws Exception {
    host.close();
  }

  @Test
  void the_head_and_the_newest_tail_are_kept() throws Exception {
    var request = shell("seq 1 1000000", capped(HostRequest.OnOutputLimit.TRUNCATE));

    var records = host.run(request);

    var exited = (HostRecord.Exited) records.getLast();
    var end = exited.streams().getFirst();
    assertThat(end.bytesTotal()).isEqualTo(6_888_896);
    assertThat(end.bytesStored()).isBetween(CAP - CAP / 8, CAP);
    assertThat(end.extents()).hasSize(2);
    assertThat(end.extents().getFirst()).isEqualTo(new Extent(0, CAP / 2));
    assertThat(end.extents().getLast().to()).isEqualTo(6_888_896);
    assertThat(host.logs().extents(request.id().taskId(), LogStream.STDOUT))
        .isEqualTo(end.extents());
    var stored = host.log(request.id(), LogStream.STDOUT);
    assertThat(new String(stored, java.nio.charset.StandardCharsets.UTF_8))
        .startsWith("1\n2\n")
        .endsWith("\n1000000\n");
    assertThat(end.sha256())
        .isEqualTo(HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(stored)));
    assertThat(host.logs().singleFile(request.id().taskId(), LogStream.STDOUT)).isEmpty();
  }

  @Test
  void gaps_tell_exactly_what_is_missing_after_it_was_told_as_output() throws Exception {
    var request = shell("seq 1 1000000", capped(HostRequest.OnOutputLimit.TRUNCATE));

    var records = host.run(request);

    var told = 0L;
    var dropped = CAP / 2;
    for (var record : records) {
      if (record instanceof HostRecord.Output output) {
        assertThat(output.offset()).isEqualTo(told);
        told += output.bytes();
      } else if (record instanceof HostRecord.Gap gap) {
        assertThat(gap.from()).isEqualTo(dropped);
        assertThat(gap.to()).isLessThanOrEqualTo(told);
        dropped = gap.to();
      }
    }
    var tail = ((HostRecord.Exited) records.getLast()).streams().getFirst().extents().getLast();
    assertThat(dropped).isEqualTo(tail.from());
    assertThat(told).isEqualTo(tail.to());
  }

  @Test
  void reading_in_a_gap_names_the_next_stored_byte() throws Exception {
    var request = shell("seq 1 1000000", capped(HostRequest.OnOutputLimit.TRUNCATE));
    var records = host.run(request);
    var tail = ((HostRecord.Exited) records.getLast()).streams().getFirst().extents().getLast();

    var read = readAt(request, CAP / 2);

    assertThat(read).isEqualTo(new LogRead.Dropped(tail.from()));
    assertThat(readAt(request, tail.from())).isInstanceOf(LogRead.Bytes.class);
    assertThat(readAt(request, tail.to())).isEqualTo(new LogRead.End());
    assertThat(readAt(request, tail.to() + 1000)).isEqualTo(new LogRead.End());
  }

  private LogRead readAt(HostRequest.Spawn request, long offset) throws Exception {
    return host.logs()
        .read(request.id().taskId(), LogStream.STDOUT, offset, ByteBuffer.allocate(100));
  }

  @Test
  void a_task_that_must_not_pass_the_cap_is_killed() throws Exception {
    var request = shell("yes", capped(HostRequest.OnOutputLimit.KILL));

    var records = host.run(request);

    var exited = (HostRecord.Exited) records.getLast();
    assertThat(exited.cause()).isEqualTo("output");
    assertThat(only(records, HostRecord.LimitPassed.class)).hasSize(1);
    assertThat(exited.streams().getFirst().bytesStored()).isLessThanOrEqualTo(CAP);
  }

  @Test
  void deleting_a_log_leaves_nothing() throws Exception {
    var request = shell("echo hello");
    host.run(request);
    assertThat(host.logs().singleFile(request.id().taskId(), LogStream.STDOUT)).isPresent();

    host.logs().delete(request.id().taskId());

    assertThat(host.logs().extents(request.id().taskId(), LogStream.STDOUT)).isEqualTo(List.of());
    assertThat(readAt(request, 0)).isEqualTo(new LogRead.End());
  }

  private static HostRequest.Limits capped(HostRequest.OnOutputLimit onLimit) {
    return new HostRequest.Limits(
        CAP,
        onLimit,
        null,
        null,
        HostRequest.Limits.GRACE_DEFAULT,
        HostRequest.Limits.DRAIN_DEFAULT);
  }
}
