package dev.errand.host.process;

import dev.errand.host.linux.PosixSignal;
import dev.errand.host.protocol.Answer;
import dev.errand.host.protocol.RefusalCode;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Stores the operations of an attempt by id, so that a repeated one is applied once. */
final class Operations {
  static final Set<PosixSignal> SIGNALS =
      Set.of(
          PosixSignal.INT,
          PosixSignal.QUIT,
          PosixSignal.TERM,
          PosixSignal.HUP,
          PosixSignal.KILL,
          PosixSignal.USR1,
          PosixSignal.USR2,
          PosixSignal.STOP,
          PosixSignal.CONT);

  /**
   * Beyond this the oldest are dropped; a repeat comes seconds after the first request, not hours.
   */
  private static final int REMEMBERED_MAX = 4_096;

  private final Map<String, Known> answers = new LinkedHashMap<>();
  private volatile boolean any;

  /** The answer, and a hash of the content. */
  private record Known(int content, CompletableFuture<?> answer) {}

  /** Whether there was an operation; may be called by every thread. */
  boolean any() {
    return any;
  }

  /**
   * @param content a hash of the request: one id may not be used for two operations
   */
  @SuppressWarnings("unchecked") // An id names one operation, so the answer has its type.
  <T> CompletableFuture<Answer<T>> once(
      String opId, int content, Supplier<CompletableFuture<Answer<T>>> operation) {
    var known = answers.get(opId);
    if (known != null) {
      return known.content() == content
          ? (CompletableFuture<Answer<T>>) known.answer()
          : CompletableFuture.completedFuture(
              new Answer.Refused<>(
                  RefusalCode.BAD_REQUEST, "this id was already used for another operation", 0));
    }
    any = true;
    var answer = operation.get();
    answers.put(opId, new Known(content, answer));
    if (answers.size() > REMEMBERED_MAX) {
      answers.remove(answers.keySet().iterator().next());
    }
    return answer;
  }
}
