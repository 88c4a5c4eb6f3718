package dev.errand.wire.client;

import dev.errand.core.error.ErrandException;
import dev.errand.core.error.ErrorCode;
import dev.errand.core.task.TaskId;
import dev.errand.wire.http.CloseCode;
import dev.errand.wire.http.HttpBounds;
import dev.errand.wire.http.Params;
import dev.errand.wire.http.Routes;
import dev.errand.wire.json.JsonFields;
import dev.errand.wire.json.JsonWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * An attached task. After a lost connection it reconnects at the reached offset and sends
 * unacknowledged input again under its id, so nothing is lost and nothing comes twice. One thread
 * calls {@link #next}; any thread may type, resize and close.
 */
public final class Attachment implements AutoCloseable {
  private final Transport transport;
  private final TaskId taskId;
  private final AttachOptions options;
  private final Backoff backoff;
  private final Unacknowledged unacknowledged = new Unacknowledged();

  /** Held while sending, so that repeated input comes before new input. */
  private final ReentrantLock sending = new ReentrantLock();

  private volatile @Nullable WebSocket socket;

  /** Whether the daemon's hello has arrived; before that input is only queued. */
  private volatile boolean greeted;

  private volatile int rows;
  private volatile int cols;
  private volatile boolean over;

  /** The offset of the first byte that has not come; absent until it is known where to begin. */
  private @Nullable Long at;

  private boolean connectedBefore;

  /** The size that the present connection was opened with. */
  private int askedRows;

  private int askedCols;

  Attachment(Transport transport, TaskId taskId, AttachOptions options) {
    this.transport = transport;
    this.taskId = taskId;
    this.options = options;
    this.backoff = transport.backoff();
    this.at = options.from();
    this.rows = options.rows();
    this.cols = options.cols();
  }

  /** Waits for the next event; null after the end of the task and after {@link #close}. */
  public @Nullable AttachEvent next() {
    while (!over) {
      try {
        var event = event(connected().read());
        backoff.progress();
        if (event != null) {
          return event;
        }
      } catch (IOException e) {
        drop();
        if (!over) {
          transport.pause(backoff, e);
        }
      }
    }
    drop();
    return null;
  }

  private WebSocket connected() throws IOException {
    var current = socket;
    if (current != null) {
      return current;
    }
    greeted = false;
    var opened = transport.upgrade(request(), transport.silenceMax());
    socket = opened;
    if (over) {
      // Closed by another thread while the connection was being made.
      opened.close();
    }
    return opened;
  }

  private HttpRequest request() {
    askedRows = rows;
    askedCols = cols;
    var sized = askedRows > 0 && !options.view();
    var stream = options.stream();
    var target =
        new Query(Routes.attach(taskId))
            .with(Params.FROM, at)
            // Later the daemon finds the position by the reached offset.
            .with(Params.AFTER_SEQ, connectedBefore ? null : options.afterSeq())
            .with(Params.STREAM, stream == null ? null : stream.word())
            .with(Params.VIEW, options.view() ? (Boolean) true : null)
            .with(Params.ROWS, sized ? (Integer) askedRows : null)
            .with(Params.COLS, sized ? (Integer) askedCols : null);
    return HttpRequest.of("GET", target.toString());
  }

  private @Nullable AttachEvent event(WebSocket.Message message) throws IOException {
    return switch (message) {
      case WebSocket.Message.Binary(var bytes) -> output(bytes);
      case WebSocket.Message.Text(var utf8) -> told(JsonFields.of(utf8));
      case WebSocket.Message.Closed it -> {
        closed(it);
        yield null;
      }
    };
  }

  private @Nullable AttachEvent output(byte[] message) throws IOException {
    var due = at;
    if (due == null || message.length < Long.BYTES) {
      throw new BadAnswerException("output came before its start offset");
    }
    var offset = ByteBuffer.wrap(message).getLong();
    if (offset > due) {
      throw new BadAnswerException("got output at " + offset + ", expected " + due);
    }
    var end = offset + message.length - Long.BYTES;
    if (end <= due) {
      return null;
    }
    at = end;
    var known = Math.toIntExact(due - offset) + Long.BYTES;
    return new AttachEvent.Output(due, Arrays.copyOfRange(message, known, message.length));
  }

  private @Nullable AttachEvent told(JsonFields message) {
    return switch (message.text("type", "")) {
      case "hello" -> hello(message);
      case "screen" -> {
        at = message.number("offset");
        yield new AttachEvent.Screen(message.text("ansi"), message.number("offset"));
      }
      case "gap" -> {
        at = message.number("to");
        yield new AttachEvent.Gap(message.number("from"), message.number("to"));
      }
      case "resized" -> resized(message);
      case "ack" -> {
        unacknowledged.done(message.text("write_id"));
        yield null;
      }
      case "error" -> refused(message);
      case "end" -> {
        over = true;
        yield new AttachEvent.Ended(new TaskStatus(message));
      }
      default -> null; // An unknown message of a newer daemon is ignored.
    };
  }

  private AttachEvent hello(JsonFields message) {
    // A new terminal begins after its first screen, which comes next.
    if (at == null && !message.text("stream", "").equals("pty")) {
      at = message.number("offset");
    }
    if (message.bool("over", false)) {
      // The client is closing, so the message is ignored.
      unacknowledged.clear();
    } else {
      sendAgain();
    }
    var again = connectedBefore;
    connectedBefore = true;
    var seq = message.number("seq");
    return new AttachEvent.Connected(size(message, "rows"), size(message, "cols"), seq, again);
  }

  private AttachEvent resized(JsonFields message) {
    return new AttachEvent.Resized(
        size(message, "rows"),
        size(message, "cols"),
        message.text("by", ""),
        message.number("seq"));
  }

  /** If the connection is lost meanwhile, the reader gets the reason. */
  private void sendAgain() {
    sending.lock();
    try {
      greeted = true;
      if (rows != askedRows || cols != askedCols) {
        send(resizing(rows, cols));
      }
      for (var write : unacknowledged.all()) {
        send(write.message());
      }
    } finally {
      sending.unlock();
    }
  }

  private static int size(JsonFields message, String name) {
    return Math.toIntExact(message.number(name, 0));
  }

  private AttachEvent refused(JsonFields message) {
    var writeId = message.textOrNull("write_id");
    if (writeId != null) {
      unacknowledged.done(writeId);
    }
    return new AttachEvent.Refused(
        new ErrandException(code(message.text("code", "")), message.text("message", "")));
  }

  private static ErrorCode code(String name) {
    return Arrays.stream(ErrorCode.values())
        .filter(it -> it.name().equals(name))
        .findFirst()
        .orElse(ErrorCode.INTERNAL_ERROR);
  }

  /** Always throws: a permanent end, or a failure after which to reconnect. */
  private static void closed(WebSocket.Message.Closed closed) throws IOException {
    switch (closed.code()) {
      case CloseCode.POLICY ->
          throw new ErrandException(ErrorCode.UNAUTHENTICATED, closed.reason());
      case CloseCode.UNSUPPORTED, CloseCode.BAD_PAYLOAD, CloseCode.TOO_LARGE ->
          throw new BadAnswerException("the daemon cannot take what was sent: " + closed.reason());
      default -> throw new IOException("the daemon closed the connection: " + closed.code());
    }
  }

  /** Sends input in the order of the calls; blocks while too much is unacknowledged. */
  public void type(byte[] bytes) {
    for (var from = 0; from < bytes.length; from += HttpBounds.STDIN_BYTES_MAX) {
      var to = Math.min(bytes.length, from + HttpBounds.STDIN_BYTES_MAX);
      typePiece(Arrays.copyOfRange(bytes, from, to));
    }
  }

  private void typePiece(byte[] piece) {
    var id = IdempotencyKeys.next();
    var text = Base64.getEncoder().encodeToString(piece);
    var message =
        JsonWriter.object(
            out -> out.text("type", "stdin").text("chunk_b64", text).text("write_id", id));
    unacknowledged.awaitRoom();
    sending.lock();
    try {
      unacknowledged.add(new Unacknowledged.Write(id, message, piece.length));
      send(message);
    } finally {
      sending.unlock();
    }
  }

  /** Gives the task's terminal this size, now and after each new connection. */
  public void resize(int windowRows, int windowCols) {
    rows = windowRows;
    cols = windowCols;
    sending.lock();
    try {
      send(resizing(windowRows, windowCols));
    } finally {
      sending.unlock();
    }
  }

  private static byte[] resizing(int windowRows, int windowCols) {
    return JsonWriter.object(
        out -> out.text("type", "resize").number("rows", windowRows).number("cols", windowCols));
  }

  /** If it does not arrive, the next connection sends it. */
  private void send(byte[] message) {
    var current = socket;
    if (current == null || !greeted) {
      return;
    }
    try {
      current.text(message);
    } catch (IOException e) {
      // Not closed here, so that the daemon's last messages can still be read.
      greeted = false;
    }
  }

  private void drop() {
    var current = socket;
    socket = null;
    if (current != null) {
      current.close();
    }
  }

  /** Detaches, also while a thread waits in {@link #next}. */
  @Override
  public void close() {
    over = true;
    unacknowledged.close();
    var current = socket;
    if (current != null) {
      current.leave(CloseCode.NORMAL);
    }
  }
}
