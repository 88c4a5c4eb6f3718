package dev.errand.core.task;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A condition on a task, for watchers, readiness and waits. */
public sealed interface WatchCondition {

  /** One with a pattern, which must be sound and not too slow. */
  sealed interface OfPattern extends WatchCondition {
    String pattern();
  }

  /** One that only a task with a terminal can meet. */
  sealed interface OfTerminal extends WatchCondition {}

  /** The output of this stream, or of any, has a match of the pattern. */
  record Regex(String pattern, @Nullable LogStream scope) implements OfPattern {}

  /** The pattern occurs on the screen of its terminal. */
  record Screen(String pattern) implements OfPattern, OfTerminal {}

  /** One of its processes listens on this TCP port. */
  record Port(int number) implements WatchCondition {}

  /** This address of the machine itself answers with 200. */
  record Http(String url) implements WatchCondition {}

  /** There is such a file; a relative path is meant from the task's folder. */
  record File(String path) implements WatchCondition {}

  /** It has written nothing for this long, or since its start. */
  record Silence(Duration quiet) implements WatchCondition {}

  /** Its terminal seems to wait for input. */
  record Prompt() implements OfTerminal {}

  /** It is ready: its readiness condition was met. */
  record Ready() implements WatchCondition {}

  /** It is over. */
  record Exit() implements WatchCondition {}
}
