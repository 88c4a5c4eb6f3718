package dev.errand.daemon.surface.http;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** What is written to the audit log while this is open. */
public final class AuditLines implements AutoCloseable {
  private static final Logger LOG = Logger.getLogger("errand.audit");

  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord record) {
          lines.add(record.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  public AuditLines() {
    LOG.addHandler(handler);
  }

  public List<String> lines() {
    return lines;
  }

  @Override
  public void close() {
    LOG.removeHandler(handler);
  }
}
