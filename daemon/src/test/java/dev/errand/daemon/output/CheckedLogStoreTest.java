package dev.errand.daemon.output;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.task.Exit;
import dev.errand.core.task.HostFact;
import dev.errand.core.task.LogEnd;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.Preview;
import dev.errand.core.task.TaskId;
import dev.errand.daemon.artifact.ArtifactStore;
import dev.errand.daemon.compute.DirectShare;
import dev.errand.daemon.engine.EngineFixture;
import dev.errand.daemon.store.Durability;
import dev.errand.host.log.LogFolders;
import dev.errand.host.log.LogReader;
import dev.errand.wire.json.JsonFrameCodec;
import java.io.ByteArrayInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CheckedLogStoreTest {
  private static final int BLOCK = 10;
  private static final int BLOCKS = 200;
  private static final Exit EXIT =
      new Exit(0, null, null, null, Exit.Leftovers.NONE, Exit.Usage.UNKNOWN);

  private final EngineFixture fixture = new EngineFixture();
  private final TaskId taskId = fixture.running();
  private final Path folder;
  private final ArtifactStore artifacts;
  private final CheckedLogStore store;
  private final byte[] log = log();

  CheckedLogStoreTest(@TempDir Path folder) throws Exception {
    this.folder = folder;
    this.artifacts =
        new ArtifactStore(folder.resolve("artifacts"), Durability.NORMAL, fixture.clock);
    var files = new FileLogStore(new LogReader(folder), new LogFolders(folder));
    this.store = new CheckedLogStore(files, artifacts, fixture.journal, new JsonFrameCodec());
    for (var i = 0; i < BLOCKS; i++) {
      report(output(3 + i, i * BLOCK));
    }
    write(log);
  }

  private static byte[] log() {
    var text = new StringBuilder();
    for (var i = 0; i < BLOCKS; i++) {
      text.append("block %03d\n".formatted(i));
    }
    return text.toString().getBytes(UTF_8);
  }

  private HostFact output(long n, int offset) {
    var bytes = Arrays.copyOfRange(log, offset, offset + BLOCK);
    var crc = new CRC32C();
    crc.update(bytes);
    var preview = Preview.of(bytes, BLOCK);
    return new HostFact.Output(
        1, n, LogStream.STDOUT, offset, BLOCK, (int) crc.getValue(), preview);
  }

  private void report(HostFact fact) {
    fixture.engine.submit(taskId, EngineFixture.report(fact), null).orThrow();
  }

  private Path write(byte[] bytes) throws Exception {
    var id = taskId.value();
    var task = Files.createDirectories(folder.resolve(id.substring(id.length() - 2)).resolve(id));
    return Files.write(task.resolve("stdout.%020d".formatted(0)), bytes);
  }

  private byte[] read(long offset, int max) {
    return store.read(taskId, LogStream.STDOUT, offset, max);
  }

  private String end(List<LogEnd.Extent> extents) throws Exception {
    var stored = new ArrayList<byte[]>();
    extents.forEach(it -> stored.add(Arrays.copyOfRange(log, (int) it.from(), (int) it.to())));
    var bytes = new byte[stored.stream().mapToInt(it -> it.length).sum()];
    var at = 0;
    for (var each : stored) {
      System.arraycopy(each, 0, bytes, at, each.length);
      at += each.length;
    }
    var sha256 =
        artifacts.put(DirectShare.INSTANCE, new ByteArrayInputStream(bytes), bytes.length).sha256();
    var end = new LogEnd(LogStream.STDOUT, log.length, bytes.length, 1, sha256, extents);
    report(new HostFact.Exited(1, 3 + BLOCKS, EXIT, List.of(end), 2_000));
    return sha256;
  }

  private static void assertDamaged(ErrandException failure, long from, long to) {
    assertThat(failure.code()).isEqualTo(ErrorCode.OUTPUT_DAMAGED);
    assertThat(failure.facts()).containsEntry("from", from).containsEntry("to", to);
    assertThat(failure.facts()).containsEntry("next_offset", to);
  }

  private ErrandException failure(long offset, int max) {
    return catchThrowableOfType(ErrandException.class, () -> read(offset, max));
  }

  @Test
  void any_range_of_a_log_that_is_whole_is_read() throws Exception {
    for (var offset : new int[] {0, 7, 995, 1_990, 1_999}) {
      assertThat(read(offset, 50))
          .isEqualTo(Arrays.copyOfRange(log, offset, Math.min(log.length, offset + 50)));
    }
    assertThat(read(log.length, 50)).isEmpty();
  }

  @Test
  void bytes_after_the_last_frame_are_read() throws Exception {
    write(Arrays.copyOf(log, log.length + 3));

    assertThat(read(log.length - 1, 10)).hasSize(4);
  }

  @Test
  void a_changed_byte_is_an_error_with_its_range_and_what_lies_around_is_read() throws Exception {
    var changed = log.clone();
    changed[1_004] ^= 1;
    write(changed);

    assertDamaged(failure(1_000, 5), 1_000, 1_010);
    assertDamaged(failure(1_007, 1), 1_000, 1_010);
    assertThat(read(980, 100)).isEqualTo(Arrays.copyOfRange(log, 980, 1_000));
    assertThat(read(1_010, 5)).isEqualTo(Arrays.copyOfRange(log, 1_010, 1_015));
  }

  @Test
  void missing_bytes_are_an_error_with_their_range() throws Exception {
    var file = write(Arrays.copyOf(log, 1_005));

    assertThat(read(990, 100)).hasSize(10);
    assertDamaged(failure(1_000, 3), 1_000, 1_010);
    assertDamaged(failure(1_500, 3), 1_500, 1_510);
    Files.delete(file);
    assertDamaged(failure(0, 100), 0, 10);
  }

  @Test
  void what_the_log_has_lost_is_read_from_a_whole_artifact() throws Exception {
    var file = write(log);
    var sha256 = end(List.of(new LogEnd.Extent(0, log.length)));
    Files.delete(file);

    assertThat(store.total(taskId, LogStream.STDOUT)).isEqualTo(log.length);
    assertThat(read(1_001, 20)).isEqualTo(Arrays.copyOfRange(log, 1_001, 1_021));
    assertThat(store.readArtifact(sha256, 5, 7).orElseThrow())
        .isEqualTo(Arrays.copyOfRange(log, 5, 12));
    artifacts.delete(sha256);
    assertDamaged(failure(1_001, 20), 1_000, 1_010);
  }

  @Test
  void a_dropped_range_is_not_damaged_and_a_missing_file_before_it_is() throws Exception {
    var head = write(Arrays.copyOf(log, 105));
    var tail = head.resolveSibling("stdout.%020d".formatted(1_005));
    Files.write(tail, Arrays.copyOfRange(log, 1_005, log.length));
    var sha256 = end(List.of(new LogEnd.Extent(0, 105), new LogEnd.Extent(1_005, log.length)));

    assertThat(read(95, 50)).isEqualTo(Arrays.copyOfRange(log, 95, 105));
    assertThat(read(1_005, 20)).isEqualTo(Arrays.copyOfRange(log, 1_005, 1_025));
    assertThat(failure(105, 1).code()).isEqualTo(ErrorCode.OUTPUT_DROPPED);
    assertThat(store.readArtifact(sha256, 105, 5).orElseThrow())
        .isEqualTo(Arrays.copyOfRange(log, 1_005, 1_010));

    Files.delete(head);
    assertThat(read(50, 20)).isEqualTo(Arrays.copyOfRange(log, 50, 70));
    artifacts.delete(sha256);
    assertDamaged(failure(50, 20), 50, 105);
  }

  @Test
  void an_upload_has_no_record_to_compare_with() throws Exception {
    assertThat(store.readArtifact("0".repeat(64), 0, 5)).isEmpty();
  }
}
