package dev.errand.daemon.verb;

import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Some of many, in their order.
 *
 * @param next behind what the next page begins; null where there is no more now
 */
public record ResultPage<T>(List<T> items, @Nullable String next) {

  public ResultPage {
    items = List.copyOf(items);
  }

  /** How many to read for a page, so that it is known whether there is more. */
  static int toRead(int limit) {
    return limit + 1;
  }

  /** Of what was read for a page of that many. */
  static <T> ResultPage<T> of(List<T> read, int limit, Function<T, String> cursor) {
    if (read.size() <= limit) {
      return new ResultPage<>(read, null);
    }
    var items = read.subList(0, limit);
    return new ResultPage<>(items, items.isEmpty() ? null : cursor.apply(items.getLast()));
  }

  /** The same items in another form. */
  public <R> ResultPage<R> map(Function<? super T, ? extends R> form) {
    return new ResultPage<R>(items.stream().<R>map(form).toList(), next);
  }
}
