package dev.errand.daemon.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.errand.core.task.HostFact;
import dev.errand.core.task.LogStream;
import dev.errand.core.task.Preview;
import dev.errand.core.task.TaskId;
import dev.errand.daemon.artifact.ArtifactStore;
import dev.errand.daemon.engine.EngineFixture;
import dev.errand.daemon.output.LogArchive;
import dev.errand.daemon.store.Durability;
import dev.errand.host.log.LogReader;
import dev.errand.wire.json.JsonFrameCodec;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogCheckTest {
  private static final byte[] FIRST = "first range\n".getBytes(StandardCharsets.UTF_8);
  private static final byte[] SECOND = "second range\n".getBytes(StandardCharsets.UTF_8);

  private final EngineFixture fixture = new EngineFixture();
  private final TaskId taskId = fixture.running();
  private final Path folder;
  private final LogCheck check;

  LogCheckTest(@TempDir Path folder) {
    this.folder = folder;
    var artifacts =
        new ArtifactStore(folder.resolve("artifacts"), Durability.NORMAL, fixture.clock);
    var archive = new LogArchive(new LogReader(folder), artifacts);
    this.check = new LogCheck(fixture.journal, new JsonFrameCodec(), archive);
    var facts = EngineFixture.report(output(3, 0, FIRST), output(4, FIRST.length, SECOND));
    fixture.engine.submit(taskId, facts, null).orThrow();
  }

  @Test
  void a_log_that_is_whole_has_lost_nothing() throws Exception {
    write(join());

    assertThat(check.firstLost(taskId)).isEmpty();
  }

  @Test
  void a_log_that_is_too_short_is_lost_from_the_range_that_is_cut() throws Exception {
    var bytes = join();
    write(Arrays.copyOf(bytes, bytes.length - 1));

    assertThat(check.firstLost(taskId)).containsEntry(LogStream.STDOUT, (long) FIRST.length);
  }

  @Test
  void a_range_with_other_bytes_is_lost() throws Exception {
    var bytes = join();
    bytes[3] = 0;
    write(bytes);

    assertThat(check.firstLost(taskId)).containsEntry(LogStream.STDOUT, 0L);
  }

  private static HostFact output(long n, long offset, byte[] bytes) {
    var crc = new CRC32C();
    crc.update(bytes);
    return new HostFact.Output(
        1,
        n,
        LogStream.STDOUT,
        offset,
        bytes.length,
        (int) crc.getValue(),
        Preview.of(bytes, bytes.length));
  }

  private static byte[] join() {
    var all = Arrays.copyOf(FIRST, FIRST.length + SECOND.length);
    System.arraycopy(SECOND, 0, all, FIRST.length, SECOND.length);
    return all;
  }

  private void write(byte[] bytes) throws IOException {
    var id = taskId.value();
    var task = Files.createDirectories(folder.resolve(id.substring(id.length() - 2)).resolve(id));
    Files.write(task.resolve("stdout.%020d".formatted(0)), bytes);
  }
}
