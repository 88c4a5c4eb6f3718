package dev.errand.daemon;

import dev.errand.core.engine.CommitListener;
import dev.errand.core.engine.ListenerFailure;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs and counts exceptions of the engine's listeners. */
final class ListenerFailures implements ListenerFailure {
  private static final Logger log = LoggerFactory.getLogger(ListenerFailures.class);

  private final AtomicLong count = new AtomicLong();

  @Override
  public void failed(CommitListener listener, Throwable bug) {
    count.incrementAndGet();
    log.error("internal error: {} failed on a commit", listener.getClass().getSimpleName(), bug);
  }

  long count() {
    return count.get();
  }
}
