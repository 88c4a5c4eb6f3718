package dev.errand.host.linux;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The kernel call in which a thread sleeps, as {@code /proc} shows it. */
record WaitingCall(long number, List<Long> arguments) {
  private static final boolean X86 = "amd64".equals(System.getProperty("os.arch"));

  /** The numbers of read and readv. */
  private static final Set<Long> READS = X86 ? Set.of(0L, 19L) : Set.of(63L, 65L);

  /**
   * The numbers of poll, epoll_wait and epoll_pwait, with the index of the argument that is their
   * time-out in ms.
   */
  private static final Map<Long, Integer> WITH_MILLIS =
      X86 ? Map.of(7L, 2, 232L, 3, 281L, 3) : Map.of(22L, 3);

  /**
   * The numbers of select, pselect6, ppoll and epoll_pwait2, with the index of the argument that
   * points to their time-out.
   */
  private static final Map<Long, Integer> WITH_POINTER =
      X86 ? Map.of(23L, 4, 270L, 4, 271L, 2, 441L, 3) : Map.of(72L, 4, 73L, 2, 441L, 3);

  private static final int ARGUMENTS = 6;

  WaitingCall {
    arguments = List.copyOf(arguments);
  }

  /** Null if the thread runs, or the text has another format. */
  static @Nullable WaitingCall of(String text) {
    var words = text.split(" ", -1);
    if (words.length <= ARGUMENTS || !words[0].matches("\\d{1,4}")) {
      return null;
    }
    var arguments = new ArrayList<Long>();
    for (var i = 1; i <= ARGUMENTS; i++) {
      arguments.add(Long.parseUnsignedLong(words[i].replaceFirst("^0x", ""), 16));
    }
    return new WaitingCall(Long.parseLong(words[0]), arguments);
  }

  long argument(int index) {
    return arguments.get(index);
  }

  boolean isRead() {
    return READS.contains(number);
  }

  /** Whether it waits for one of several descriptors. */
  boolean isWait() {
    return WITH_MILLIS.containsKey(number) || WITH_POINTER.containsKey(number);
  }

  /** Whether it returns after a time-out. */
  boolean isTimed() {
    var millis = WITH_MILLIS.get(number);
    var pointer = WITH_POINTER.get(number);
    return (millis != null && (int) argument(millis) >= 0)
        || (pointer != null && argument(pointer) != 0);
  }
}
