package dev.errand.testkit;

import dev.errand.core.engine.Ids;
import dev.errand.core.task.TaskId;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/** Ids that count up, so that a test knows them and their order. */
public final class SequentialIds implements Ids {
  /** Version 7 and the common variant, with nothing of time or chance in them. */
  private static final long HIGH = 0x7000L;

  private static final long LOW = 0x8000_0000_0000_0000L;

  private final AtomicLong last = new AtomicLong();

  @Override
  public String next() {
    return new UUID(HIGH, LOW | last.incrementAndGet()).toString();
  }

  public TaskId nextTask() {
    return new TaskId(next());
  }
}
