package dev.errand.daemon.condition;

import dev.errand.core.task.LogStream;
import dev.errand.core.task.WatchCondition;
import java.util.List;
import java.util.Map;

/** What is waited for: any of these, and where in the logs the search for text begins. */
public record WaitUntil(List<WatchCondition> any, Map<LogStream, Long> from) {

  public WaitUntil {
    any = List.copyOf(any);
    from = Map.copyOf(from);
  }
}
