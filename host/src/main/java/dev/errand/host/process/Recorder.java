package dev.errand.host.process;

import dev.errand.core.time.Time;
import dev.errand.host.record.AttemptId;
import dev.errand.host.record.HostRecord;
import dev.errand.host.record.RecordWriter;
import dev.errand.host.record.Stamp;
import java.util.function.Function;

/**
 * Numbers the records of one attempt. Several threads may record; the numbers follow the file
 * order.
 */
final class Recorder {
  private final RecordWriter records;
  private final AttemptId id;
  private final Time clock;
  private long n;

  /** Where a record was written: its number, and its segment. */
  record Place(long n, long segment) {}

  Recorder(RecordWriter records, AttemptId id, Time clock) {
    this.records = records;
    this.id = id;
    this.clock = clock;
  }

  synchronized Place add(Function<Stamp, HostRecord> record) {
    var segment = records.append(record.apply(next()));
    return new Place(n, segment);
  }

  /**
   * The same for a record that need not be read before {@link #tell} or the next record of any
   * attempt.
   */
  synchronized void addQuietly(Function<Stamp, HostRecord> record) {
    records.appendQuietly(record.apply(next()));
  }

  /** Whether records have to wait, so that output should wait too. */
  boolean isBehind() {
    return records.isBehind();
  }

  void tell() {
    records.hint();
  }

  private Stamp next() {
    n++;
    return new Stamp(id.taskId(), id.attempt(), n, clock.millis());
  }
}
