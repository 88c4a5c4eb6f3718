package dev.errand.cli.board;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * The only reader of the keyboard. Keys go to the board or, during an attach, to the attached task:
 * two readers of one terminal would take each other's keys.
 */
final class Keyboard {
  private static final int BYTES_AT_ONCE = 4 * 1024;

  /** Limit of queued keys; more are dropped. */
  private static final int WAITING_MAX = 1_000;

  private final InputStream in;
  private final Runnable typed;
  private final BlockingQueue<Key> keys = new LinkedBlockingQueue<>(WAITING_MAX);
  private volatile @Nullable Lent lent;

  Keyboard(InputStream in, Runnable typed) {
    this.in = in;
    this.typed = typed;
  }

  void start() {
    Thread.ofPlatform().daemon().name("keyboard").start(this::read);
  }

  private void read() {
    var bytes = new byte[BYTES_AT_ONCE];
    try {
      for (var count = in.read(bytes); count >= 0; count = in.read(bytes)) {
        var borrower = lent;
        if (borrower != null) {
          borrower.offer(Arrays.copyOf(bytes, count));
        } else {
          Key.of(bytes, count).forEach(keys::offer);
          typed.run();
        }
      }
    } catch (IOException e) {
      // The terminal is gone, as at its end.
    }
    keys.offer(Key.Named.INTERRUPT);
    typed.run();
  }

  List<Key> pressed() {
    var all = new ArrayList<Key>();
    keys.drainTo(all);
    return all;
  }

  /** Sends keys there until it is closed. */
  Lent lend() {
    var stream = new Lent();
    lent = stream;
    return stream;
  }

  /** The keys for an attached task; ends when the keyboard is returned. */
  final class Lent extends InputStream {
    private static final byte[] END = {};

    private final BlockingQueue<byte[]> pieces = new LinkedBlockingQueue<>(WAITING_MAX);
    private byte[] piece = END;
    private int at;
    private boolean ended;

    private void offer(byte[] bytes) {
      var _ = pieces.offer(bytes);
    }

    @Override
    public int read() throws IOException {
      var one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int from, int length) throws IOException {
      if (length == 0) {
        return 0;
      }
      if (at == piece.length && !ended) {
        piece = next();
        at = 0;
        ended = piece.length == 0;
      }
      if (ended) {
        return -1;
      }
      var count = Math.min(length, piece.length - at);
      System.arraycopy(piece, at, bytes, from, count);
      at += count;
      return count;
    }

    private byte[] next() throws IOException {
      try {
        return pieces.take();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted", e);
      }
    }

    @Override
    public void close() {
      lent = null;
      offer(END);
    }
  }
}
