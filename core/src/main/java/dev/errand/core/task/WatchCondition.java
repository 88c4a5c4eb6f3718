package dev.errand.core.task;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What a watcher looks for in a running task. */
public sealed interface WatchCondition {

  /** A line of this stream, or of any, has a match of the pattern. */
  record Regex(String pattern, @Nullable LogStream scope) implements WatchCondition {}

  /** One of its processes listens on this TCP port. */
  record Port(int number) implements WatchCondition {}

  /** This address of the machine itself answers with 200. */
  record Http(String url) implements WatchCondition {}

  /** There is such a file; a relative path is meant from the task's folder. */
  record File(String path) implements WatchCondition {}

  /** It has written nothing for so long. */
  record Silence(Duration quiet) implements WatchCondition {}

  /** Its terminal seems to wait for someone to type. */
  record Prompt() implements WatchCondition {}
}
