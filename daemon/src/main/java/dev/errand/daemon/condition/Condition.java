package dev.errand.daemon.condition;

import com.google.re2j.Pattern;
import dev.errand.core.task.LogStream;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Something that may come to hold of a task. */
public sealed interface Condition {

  /** The task is over. */
  record Exit() implements Condition {}

  /** The pattern occurs in a log: in that of this stream, or in any. */
  record Text(Pattern pattern, @Nullable LogStream stream) implements Condition {}

  /** The pattern occurs on the screen of its terminal. */
  record Screen(Pattern pattern) implements Condition {}

  /** It has written nothing for so long, or since its start. */
  record Idle(Duration quiet) implements Condition {}

  /** One of its processes listens on this TCP port. */
  record Port(int number) implements Condition {}

  /** Its terminal seems to wait for someone to type. */
  record Prompt() implements Condition {}

  /** It was seen to be ready, as its caller said this would show. */
  record Ready() implements Condition {}

  /**
   * This address, which must be one of the machine itself, answers with 200.
   *
   * @param ownOnly whether it is asked only where none but tasks like this one listen
   */
  record Http(URI url, boolean ownOnly) implements Condition {}

  /** There is such a file. */
  record File(Path path) implements Condition {}
}
