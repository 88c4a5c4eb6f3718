package dev.errand.daemon.surface.http;

import dev.errand.wire.http.Headers;
import java.util.List;
import java.util.function.Function;

/**
 * The items of one page. The list is read one item further than the page shows, because only then
 * it is known whether another page follows.
 *
 * @param more whether another page follows
 */
record PageOf<T>(List<T> items, boolean more) {
  PageOf {
    items = List.copyOf(items);
  }

  /** How many items to read for a page of this many. */
  static int toRead(int limit) {
    return limit + 1;
  }

  /** {@code read} has at most {@link #toRead} items. */
  static <T> PageOf<T> of(List<T> read, int limit) {
    return read.size() > limit
        ? new PageOf<>(read.subList(0, limit), true)
        : new PageOf<>(read, false);
  }

  Reply.Whole reply(Function<T, byte[]> json) {
    return Reply.page(items.stream().map(json).toList());
  }

  /** The same with a link to the next page, where one follows. */
  Reply.Whole linked(Reply.Whole reply, Call call, String parameter, Function<T, String> cursor) {
    return more
        ? reply.with(Headers.LINK, Links.next(call, parameter, cursor.apply(items.getLast())))
        : reply;
  }
}
