package dev.errand.daemon.store.sqlite;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.errand.core.journal.StreamKey;
import dev.errand.core.journal.TaskRow;
import java.util.zip.CRC32C;

/**
 * Checksums of what is kept, since SQLite has none of its own for its pages. What was written
 * before there were any has none, and counts as it is.
 */
final class Checksums {
  private static final char SPACE = '\n';

  private Checksums() {}

  /** Of a frame: a text that turns up in another place does not fit either. */
  static long of(StreamKey stream, long seq, byte[] text) {
    var place = new StringBuilder(64);
    place.append(BatchSql.kindNumber(stream.kind())).append(stream.id()).append(SPACE).append(seq);
    return of(place, text);
  }

  static long of(TaskRow row) {
    var lifetime = row.lifetime();
    var columns = new StringBuilder(256);
    columns.append(row.id().value()).append(SPACE).append(row.sessionId().value()).append(SPACE);
    columns.append(row.label()).append(SPACE).append(row.kind()).append(SPACE);
    columns.append(row.status().word()).append(SPACE).append(row.active()).append(SPACE);
    columns.append(lifetime.endedAtMs()).append(SPACE).append(lifetime.readAtMs()).append(SPACE);
    columns.append(lifetime.bytesStored()).append(SPACE).append(row.foldVersion()).append(SPACE);
    columns.append(row.batchId()).append(SPACE);
    var parent = row.parent();
    columns.append(parent == null ? null : parent.value());
    return of(columns, row.statusText());
  }

  private static long of(StringBuilder columns, byte[] text) {
    var crc = new CRC32C();
    crc.update(columns.append(SPACE).toString().getBytes(UTF_8));
    crc.update(text);
    return crc.getValue();
  }
}
