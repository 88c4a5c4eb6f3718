package dev.errand.daemon.store.sqlite;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.errand.core.journal.StreamKey;
import dev.errand.core.journal.TaskRow;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Checksums of what is kept, since SQLite has none of its own for its pages. What was written
 * before there were any has none, and counts as it is.
 */
final class Sums {

  private Sums() {}

  /** Of a frame: a text that turns up in another place does not fit either. */
  static long of(StreamKey stream, long seq, byte[] text) {
    var crc = new CRC32C();
    update(crc, BatchSql.kindNumber(stream.kind()) + stream.id() + ' ' + seq + '\n');
    crc.update(text);
    return crc.getValue();
  }

  static long of(TaskRow row) {
    var crc = new CRC32C();
    var parent = row.parent();
    for (@Nullable Object part :
        new @Nullable Object[] {
          row.id().value(),
          row.sessionId().value(),
          row.label(),
          row.kind(),
          row.status(),
          row.active(),
          row.lifetime().endedAtMs(),
          row.lifetime().readAtMs(),
          row.lifetime().bytesStored(),
          row.foldVersion(),
          row.batchId(),
          parent == null ? null : parent.value()
        }) {
      update(crc, part + "\n");
    }
    crc.update(row.statusText());
    return crc.getValue();
  }

  private static void update(CRC32C crc, String text) {
    crc.update(text.getBytes(UTF_8));
  }
}
