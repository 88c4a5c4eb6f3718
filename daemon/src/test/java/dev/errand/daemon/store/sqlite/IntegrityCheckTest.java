package dev.errand.daemon.store.sqlite;

import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.errand.daemon.store.Durability;
import dev.errand.wire.time.SystemTime;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A look at a whole file finds what is wrong with it, and whoever closes need not wait for it. */
@Timeout(60)
final class IntegrityCheckTest {
  @TempDir private Path folder;

  /** A table that has an index, of so many rows. */
  private Connections filled(int rows) throws SQLException {
    var connections = new Connections(folder.resolve("errand.db"), Durability.NORMAL);
    try (var connection = connections.inspector();
        var sql = connection.createStatement()) {
      sql.execute("CREATE TABLE t (x TEXT)");
      sql.execute("CREATE INDEX t_x ON t (x)");
      sql.execute(
          """
          INSERT INTO t
          WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d)
          SELECT hex(randomblob(50)) FROM n
          """
              .formatted(rows));
    }
    return connections;
  }

  /** Changes what stands last, so that a look has to come to the end to find it. */
  private void damageTheEnd() throws IOException {
    var file = folder.resolve("errand.db");
    try (var channel = FileChannel.open(file, READ, WRITE)) {
      var last = ByteBuffer.allocate(1);
      channel.read(last, channel.size() - 1);
      last.put(0, (byte) (last.get(0) ^ 1)).rewind();
      channel.write(last, channel.size() - 1);
    }
  }

  @Test
  void a_sound_file_has_no_fault_and_a_damaged_one_is_told() throws Exception {
    try (var inspection = new IntegrityCheck(filled(100), new SystemTime())) {
      assertThat(inspection.firstFault()).isEmpty();

      damageTheEnd();
      assertThat(inspection.firstFault()).isPresent();

      Files.writeString(folder.resolve("errand.db"), "no database at all ".repeat(1_000));
      assertThat(inspection.firstFault()).hasValue("SQLITE_NOTADB");
    }
  }

  @Test
  void one_that_is_closed_is_cut_short_and_says_nothing() throws Exception {
    var connections = filled(200_000);
    damageTheEnd();
    try (var whole = new IntegrityCheck(connections, new SystemTime())) {
      assertThat(whole.firstFault()).isPresent();
    }
    var inspection = new IntegrityCheck(connections, new SystemTime());
    var looking = CompletableFuture.supplyAsync(() -> look(inspection));
    await()
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(1))
        .until(inspection::isUnderWay);

    inspection.close();

    assertThat(looking.get()).isEmpty();
    assertThat(inspection.firstFault()).isEmpty();
  }

  private static Optional<String> look(IntegrityCheck inspection) {
    try {
      return inspection.firstFault();
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }
}
