package dev.errand.host.log;

import dev.errand.core.time.Time;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The resources that all logs share: descriptors and disk space. When too many tasks write at once
 * their logs are closed after each write, which costs time but loses no byte.
 */
public final class OpenLogs {
  private final long max;
  private final DiskReserve room;
  private final AtomicLong open = new AtomicLong();

  /** The folder of all logs must exist. */
  public OpenLogs(long max, Path folder, Time clock) throws IOException {
    this.max = max;
    this.room = new DiskReserve(folder, clock);
  }

  void takeRoom(long bytes) throws IOException {
    room.take(bytes);
  }

  public boolean crowded() {
    return open.get() > max;
  }

  void opened() {
    open.incrementAndGet();
  }

  void closed() {
    open.decrementAndGet();
  }
}
