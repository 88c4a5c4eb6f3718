package dev.errand.daemon.verb;

import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A page of items, in order.
 *
 * @param next the cursor after which the next page starts; null if there are no more now
 */
public record ResultPage<T>(List<T> items, @Nullable String next) {

  public ResultPage {
    items = List.copyOf(items);
  }

  /** How many items to read for a page, so that it is known whether there are more. */
  static int toRead(int limit) {
    return limit + 1;
  }

  /** A page of that size from the items that were read for it. */
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
