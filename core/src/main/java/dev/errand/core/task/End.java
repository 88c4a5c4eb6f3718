package dev.errand.core.task;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** How a task came to its end. */
public sealed interface End {
  long atMs();

  /** Whether its process ended by itself with exit code 0. */
  default boolean isSuccess() {
    return this instanceof Exited it && it.exit().code() == 0;
  }

  /** How its process ended; null if there was none, or it is unknown. */
  default @Nullable Exit exit() {
    return null;
  }

  /** Its process ended by itself, or by a signal that Errand did not send. */
  record Exited(Exit exit, long atMs) implements End {}

  /** No process was started; {@code reason} is a code, {@code message} says what to do. */
  record NotStarted(String reason, String message, long atMs) implements End {}

  /**
   * Its process was killed because it passed this limit ({@code wall}, {@code idle}, {@code
   * output}, {@code memory}, {@code cpu}, {@code file_size}).
   */
  record LimitPassed(String limit, Exit exit, long atMs) implements End {

    /** Whether the limit is a time. */
    public boolean isTimeout() {
      return limit.equals("wall") || limit.equals("idle");
    }
  }

  /** Its host and its process are gone, so it is unknown how it ended. */
  record Lost(List<Long> killed, List<Long> survivors, long atMs) implements End {
    public Lost {
      killed = List.copyOf(killed);
      survivors = List.copyOf(survivors);
    }
  }

  /** Its record in the journal is damaged from that frame on, so its progress is unknown. */
  record Corrupt(long fromSeq, List<Long> killed, List<Long> survivors, long atMs) implements End {
    public Corrupt {
      killed = List.copyOf(killed);
      survivors = List.copyOf(survivors);
    }
  }

  /** A person was asked whether it may run, and refused. */
  record Denied(String reason, String by, long atMs) implements End {}

  /** A person was asked whether it may run, and the answer did not come in time. */
  record ApprovalExpired(long atMs) implements End {}

  /** A caller cancelled it, and the process is proven dead or never existed. */
  record Cancelled(String reason, String by, @Nullable Exit exit, long atMs) implements End {}
}
