package dev.errand.daemon.store.sqlite;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.errand.core.journal.StreamKey;
import dev.errand.core.journal.TaskRow;
import java.util.zip.CRC32C;

/**
 * Checksums of frames and rows, since SQLite has none for its pages. Data of older versions has no
 * checksum and is trusted.
 */
final class Checksums {
  private static final char SPACE = '\n';

  private Checksums() {}

  /**
   * The checksum of a frame; it includes the stream and the seq, so a misplaced text does not
   * match.
   */
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
