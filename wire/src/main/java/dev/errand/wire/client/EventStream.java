package dev.errand.wire.client;

import dev.errand.wire.http.Headers;
import dev.errand.wire.http.SseText;
import dev.errand.wire.json.JsonFields;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Frames one after the other, each exactly once, across lost connections and restarts of the
 * daemon. For one thread; another one may close it.
 */
public final class EventStream implements AutoCloseable {
  private static final Duration FINISH_TIMEOUT = Duration.ofSeconds(1);

  private final Transport transport;
  private final String target;
  private final boolean ofTask;
  private final boolean follow;
  private final Backoff backoff;
  private @Nullable String lastId;
  private volatile @Nullable HttpResponse response;
  private @Nullable SseReader reader;
  private boolean terminalSeen;
  private volatile boolean over;
  private volatile boolean caughtUp;
  private Consumer<JsonFields> onStored = _ -> {};

  private EventStream(
      Transport transport, String target, @Nullable String lastId, boolean ofTask, boolean follow) {
    this.transport = transport;
    this.target = target;
    this.lastId = lastId;
    this.ofTask = ofTask;
    this.follow = follow;
    this.backoff = transport.backoff();
  }

  /** The frames of one task after {@code afterSeq}; without following, only the present ones. */
  static EventStream ofTask(Transport transport, String target, long afterSeq, boolean follow) {
    var lastId = afterSeq < 0 ? null : Long.toString(afterSeq);
    return new EventStream(transport, target, lastId, true, follow);
  }

  static EventStream ofAll(
      Transport transport, String target, @Nullable String cursor, boolean follow) {
    return new EventStream(transport, target, cursor, false, follow);
  }

  /**
   * Registers a callback, which {@link #next} calls for output that is stored without frames yet.
   */
  void onStored(Consumer<JsonFields> told) {
    onStored = told;
  }

  /** Waits for the next frame; null after the last frame of a task and after {@link #close}. */
  public @Nullable EventFrame next() {
    if (terminalSeen) {
      finish();
    }
    while (!over) {
      try {
        var event = reader().next();
        if (event == null) {
          ended();
          continue;
        }
        backoff.progress();
        var frame = frame(event);
        if (frame != null) {
          return frame;
        }
      } catch (IOException e) {
        drop();
        if (!over) {
          transport.pause(backoff, e);
        }
      }
    }
    return null;
  }

  /** Whether all frames that were there when the stream began have been returned. */
  public boolean caughtUp() {
    return caughtUp;
  }

  private SseReader reader() throws IOException {
    var current = reader;
    if (current == null) {
      var request = HttpRequest.of("GET", target).header(Headers.ACCEPT, Headers.EVENT_STREAM);
      if (lastId != null) {
        request = request.header(Headers.LAST_EVENT_ID, lastId);
      }
      var opened = transport.open(request, transport.silenceMax());
      response = opened;
      current = new SseReader(opened.body());
      reader = current;
      if (over) {
        // Closed by another thread while the connection was being made.
        opened.close();
      }
    }
    return current;
  }

  /** The daemon ended the stream: the end if not following; otherwise reconnect. */
  private void ended() throws IOException {
    if (follow) {
      throw new IOException("the daemon ended the event stream");
    }
    over = true;
    caughtUp = true;
    drop();
  }

  private @Nullable EventFrame frame(SseReader.Event event) throws IOException {
    if (SseText.CAUGHT_UP.equals(event.name())) {
      caughtUp = true;
    }
    var id = event.id();
    var text = event.data();
    if (SseText.STORED.equals(event.name()) && text != null) {
      onStored.accept(JsonFields.of(text.getBytes(StandardCharsets.UTF_8)));
    }
    if (event.name() != null || id == null) {
      return null;
    }
    if (text == null) {
      // Only a new position, so that a reconnect starts there.
      lastId = ofTask ? lastId : id;
      return null;
    }
    var frame = new EventFrame(id, text, JsonFields.of(text.getBytes(StandardCharsets.UTF_8)));
    if (ofTask && !isNext(frame)) {
      return null;
    }
    lastId = id;
    terminalSeen = ofTask && frame.isTerminal();
    return frame;
  }

  /**
   * Waits a short time for the daemon to end the stream after the last frame: then it knows that
   * all was delivered, and the connection can be reused.
   */
  private void finish() {
    var current = response;
    try {
      if (!over && current != null) {
        current.connection().limitSilence(FINISH_TIMEOUT);
        while (reader().next() != null) {
          // Only marks can follow.
        }
      }
    } catch (IOException e) {
      // Nothing is missing, so no retry.
    }
    over = true;
    drop();
  }

  /** Whether it is the expected frame; a repeated frame is skipped. */
  private boolean isNext(EventFrame frame) throws IOException {
    var due = lastId == null ? 0 : Long.parseLong(lastId) + 1;
    if (frame.seq() > due) {
      throw new BadAnswerException("got frame " + frame.seq() + ", expected " + due);
    }
    return frame.seq() == due;
  }

  private void drop() {
    var current = response;
    response = null;
    reader = null;
    if (current != null) {
      current.close();
    }
  }

  /** Ends the stream, also while a thread waits in {@link #next}. */
  @Override
  public void close() {
    over = true;
    var current = response;
    if (current != null) {
      current.connection().close();
    }
  }
}
