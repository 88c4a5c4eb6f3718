package dev.errand.e2e;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Much of the same at once. */
final class Storm {
  /** {@code make torture} makes storms ten times as long. */
  static final int TIMES = Integer.getInteger("errand.storm_times", 1);

  static final int AT_ONCE = 16;

  interface Work<T> {
    T run(int number) throws Exception;
  }

  private Storm() {}

  /** Does it so often, a few at a time, and returns what came of each. */
  static <T> List<T> often(int count, Work<T> work) throws InterruptedException {
    var results = new ArrayList<Future<T>>();
    try (var threads =
        Executors.newFixedThreadPool(AT_ONCE, Thread.ofVirtual().name("storm-", 0).factory())) {
      for (var i = 0; i < count; i++) {
        var number = i;
        results.add(threads.submit(() -> work.run(number)));
      }
      var values = new ArrayList<T>();
      for (var result : results) {
        values.add(result.get());
      }
      return values;
    } catch (ExecutionException e) {
      throw new AssertionError(e.getCause());
    }
  }
}
