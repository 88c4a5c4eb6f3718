package dev.errand.host.process;

import static dev.errand.host.protocol.RefusalCode.LINE_TOO_LONG;
import static dev.errand.host.protocol.RefusalCode.STDIN_CLOSED;
import static dev.errand.host.protocol.RefusalCode.STDIN_FULL;

import dev.errand.host.linux.Descriptors;
import dev.errand.host.linux.Errno;
import dev.errand.host.linux.Poller;
import dev.errand.host.protocol.Answer;
import dev.errand.host.protocol.HostReply;
import dev.errand.host.protocol.HostRequest;
import dev.errand.host.record.Data;
import dev.errand.host.record.HostRecord;
import dev.errand.host.redact.Secrets;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The standard input of a child: written in the order of the requests, without blocking.
 *
 * <p>A write is applied when the kernel took all its bytes. Belongs to its loop's thread.
 */
final class StdinPipe {
  private static final int CHUNK_BYTES = 64 << 10;

  /** How much of the input goes into a record. */
  private static final int RECORDED_BYTES_MAX = 64 << 10;

  /** The maximum number of waiting bytes; a write beyond it gets STDIN_FULL at once. */
  private static final long WAITING_BYTES_MAX = 32L << 20;

  private static final Duration RETRY = Duration.ofMillis(20);

  private final IoLoop loop;
  private final int fd;
  private final Rules rules;
  private final Runnable settle;
  private final Queue<Write> waiting = new ArrayDeque<>();
  private long waitingBytes;
  private boolean watching;
  private boolean closed;

  /** A request that is not complete yet. */
  private static final class Write {
    private final HostRequest.Stdin request;
    private byte[] bytes;
    private boolean begun;
    private final CompletableFuture<Answer<HostReply.StdinWritten>> answer =
        new CompletableFuture<>();
    private int written;
    private Timers.@Nullable Timer timer;

    private Write(HostRequest.Stdin request) {
      this.request = request;
      this.bytes = request.data().bytes();
    }

    /** The number of requested bytes; the end of input has none. */
    private int taken() {
      return Math.min(written, request.data().length());
    }
  }

  /**
   * The settings that all writes share.
   *
   * @param line the line being typed, if this is a terminal; an end of input does not close it
   */
  record Rules(Recorder recorder, Duration timeout, Secrets secrets, @Nullable TypedLine line) {}

  /**
   * @param settle called before the first byte of a write: records the earlier output of the
   *     process
   */
  StdinPipe(IoLoop loop, int fd, Rules rules, Runnable settle) {
    this.loop = loop;
    this.fd = fd;
    this.rules = rules;
    this.settle = settle;
  }

  /** The kernel did not take some of it so far. */
  boolean isWaiting() {
    return !waiting.isEmpty();
  }

  CompletableFuture<Answer<HostReply.StdinWritten>> write(HostRequest.Stdin request) {
    var write = new Write(request);
    if (closed) {
      refuse(write, STDIN_CLOSED, "standard input is closed");
    } else if (waitingBytes + write.bytes.length > WAITING_BYTES_MAX) {
      refuse(write, STDIN_FULL, "too much input is waiting already; try again later");
    } else {
      waiting.add(write);
      waitingBytes += write.bytes.length;
      write.timer = loop.after(rules.timeout(), () -> timeOut(write));
      writeOn();
    }
    return write.answer;
  }

  private void writeOn() {
    for (var next = waiting.peek(); next != null && !closed; next = waiting.peek()) {
      if (next.begun || begin(next)) {
        if (!writeAll(next)) {
          return;
        }
        remove(next);
        applied(next);
      }
    }
  }

  /** False if it may not be written at all; it is answered then. */
  private boolean begin(Write write) {
    var line = rules.line();
    var why = line == null ? null : line.refusal(write.bytes);
    if (why != null) {
      remove(write);
      refuse(write, LINE_TOO_LONG, why);
      return false;
    }
    settle.run();
    write.begun = true;
    if (line != null && write.request.eof()) {
      write.bytes = line.withEnd(write.bytes);
    }
    return true;
  }

  /** False if the kernel takes no more for now, or never again. */
  private boolean writeAll(Write write) {
    while (write.written < write.bytes.length) {
      var count = Math.min(CHUNK_BYTES, write.bytes.length - write.written);
      MemorySegment.copy(
          write.bytes, write.written, loop.memory(), ValueLayout.JAVA_BYTE, 0, count);
      var taken = Descriptors.write(fd, loop.memory().asSlice(0, count));
      if (taken == -Errno.EAGAIN || taken == -Errno.EINTR) {
        watch();
        return false;
      }
      if (taken < 0) {
        noReader(write);
        return false;
      }
      var line = rules.line();
      if (line != null) {
        line.took(write.bytes, write.written, write.written + (int) taken);
      }
      write.written += (int) taken;
    }
    return true;
  }

  /** A pipe without a reader never gets one again; a terminal may be opened again. */
  private void noReader(Write write) {
    if (rules.line() == null) {
      close("the process reads no more input");
      return;
    }
    remove(write);
    if (write.written > 0) {
      record(write, false, false);
    }
    refuse(write, STDIN_CLOSED, "no process has the terminal open");
    loop.execute(this::writeOn);
  }

  private void watch() {
    if (!watching) {
      watching = true;
      loop.watch(fd, Poller.WRITABLE, this::writable);
      if (rules.line() != null) {
        // A terminal does not always report that it has room again.
        loop.after(RETRY, this::retry);
      }
    }
  }

  private void retry() {
    if (watching) {
      writable();
    }
  }

  private void writable() {
    unwatch();
    writeOn();
  }

  private void unwatch() {
    if (watching) {
      watching = false;
      loop.unwatch(fd);
    }
  }

  private void applied(Write write) {
    var n = record(write, write.request.eof(), false);
    if (write.request.eof() && rules.line() == null) {
      close("standard input was ended");
    }
    write.answer.complete(new Answer.Done<>(new HostReply.StdinWritten(n, write.taken())));
  }

  private void timeOut(Write write) {
    remove(write);
    var n = record(write, false, true);
    var message = "the process did not read its input in time";
    write.answer.complete(new Answer.Refused<>(STDIN_FULL, message, write.taken(), n));
    writeOn();
  }

  private void remove(Write write) {
    waiting.remove(write);
    waitingBytes -= write.bytes.length;
    var timer = write.timer;
    if (timer != null) {
      loop.cancel(timer);
    }
  }

  private long record(Write write, boolean eof, boolean full) {
    var secret = write.request.secret();
    var bytes = Arrays.copyOf(write.bytes, write.taken());
    var kept = secret ? Data.NONE : Data.startOf(rules.secrets().redact(bytes), RECORDED_BYTES_MAX);
    return rules
        .recorder()
        .add(stamp ->
            new HostRecord.Stdin(
                stamp,
                write.request.opId(),
                bytes.length,
                eof,
                full,
                kept,
                secret,
                write.request.by()))
        .n();
  }

  private static void refuse(Write write, String code, String message) {
    write.answer.complete(new Answer.Refused<>(code, message, write.taken()));
  }

  /** Ends the input; the waiting writes are refused. */
  void close(String why) {
    if (closed) {
      return;
    }
    closed = true;
    unwatch();
    Descriptors.close(fd);
    while (!waiting.isEmpty()) {
      var write = waiting.element();
      remove(write);
      if (write.written > 0) {
        record(write, false, false);
      }
      refuse(write, STDIN_CLOSED, why);
    }
  }
}
