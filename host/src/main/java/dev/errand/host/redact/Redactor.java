package dev.errand.host.redact;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;

/**
 * Removes secrets from one stream, however it is divided into reads. For one thread.
 *
 * <p>Every byte of an occurrence of a pattern is removed; overlapping occurrences become one mark,
 * with the name of the first. Bytes that may still become part of an occurrence are held back until
 * the next bytes decide, or until {@link #release}.
 */
public final class Redactor {
  private final Patterns patterns;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  /** The occurrences that may still become part of a longer one, in order and without overlaps. */
  private final Deque<Found> found = new ArrayDeque<>();

  private byte[] held = new byte[0];
  private int state = Patterns.ROOT;

  /** Positions are counted from the first held byte. */
  private record Found(int from, int to, String name) {
    Found movedBy(int bytes) {
      return new Found(from - bytes, to - bytes, name);
    }
  }

  Redactor(Patterns patterns) {
    this.patterns = patterns;
  }

  /** Returns the bytes that can be released after these bytes. */
  public byte[] push(byte[] bytes, int count) {
    var all = Arrays.copyOf(held, held.length + count);
    System.arraycopy(bytes, 0, all, held.length, count);
    var written = 0;
    var at = held.length;
    while (at < all.length) {
      if (state == Patterns.ROOT && found.isEmpty()) {
        at = skip(all, at);
        if (at == all.length) {
          break;
        }
      }
      state = patterns.step(state, all[at] & 0xff);
      at++;
      if (patterns.length(state) > 0) {
        cover(at);
      }
      written = markUpTo(all, written, at - patterns.depth(state));
    }
    keep(all, written, all.length - patterns.depth(state));
    return take();
  }

  /** Skips bytes that start no pattern. */
  private int skip(byte[] all, int at) {
    while (at < all.length && !patterns.begins(all[at] & 0xff)) {
      at++;
    }
    return at;
  }

  /** An occurrence ends at this position; it absorbs those that it overlaps. */
  private void cover(int at) {
    var from = at - patterns.length(state);
    var name = patterns.name(state);
    for (var last = found.peekLast(); last != null && last.to() > from; last = found.peekLast()) {
      found.removeLast();
      if (last.from() <= from) {
        from = last.from();
        name = last.name();
      }
    }
    found.addLast(new Found(from, at, name));
  }

  /** Writes the marks that no occurrence from this position on can change. */
  private int markUpTo(byte[] all, int written, int undecided) {
    var done = written;
    for (var first = found.peekFirst();
        first != null && first.to() <= undecided;
        first = found.peekFirst()) {
      done = mark(all, done, found.removeFirst());
    }
    return done;
  }

  private int mark(byte[] all, int written, Found it) {
    if (it.from() > written) {
      out.write(all, written, it.from() - written);
    }
    out.writeBytes(("[secret:" + it.name() + "]").getBytes(UTF_8));
    return it.to();
  }

  /** Releases the bytes that no occurrence can reach any more, and keeps the rest. */
  private void keep(byte[] all, int written, int undecided) {
    var first = found.peekFirst();
    var clear = first == null ? undecided : Math.min(first.from(), undecided);
    if (clear > written) {
      out.write(all, written, clear - written);
    }
    // The content of bytes that will be removed in any case is not needed, only their number.
    var from = first != null && first.from() <= undecided ? first.to() : undecided;
    held = Arrays.copyOfRange(all, from, all.length);
    for (var i = found.size(); i > 0; i--) {
      found.addLast(found.removeFirst().movedBy(from));
    }
  }

  /** Whether bytes are held back. */
  public boolean isHolding() {
    return !found.isEmpty() || held.length > 0;
  }

  /** Whether some held bytes came before the last {@code count} bytes. */
  public boolean isHoldingFromBefore(int bytes) {
    return held.length > bytes;
  }

  /** Releases all held bytes; what comes later is a new text. */
  public byte[] release() {
    var written = markUpTo(held, 0, held.length);
    out.write(held, written, held.length - written);
    held = new byte[0];
    state = Patterns.ROOT;
    return take();
  }

  private byte[] take() {
    var bytes = out.toByteArray();
    out.reset();
    return bytes;
  }
}
