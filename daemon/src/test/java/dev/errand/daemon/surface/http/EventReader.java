package dev.errand.daemon.surface.http;

import dev.errand.wire.json.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A subscriber: opens an event stream and reads it event by event. */
final class EventReader implements AutoCloseable {
  private final Wire wire;

  private EventReader(Wire wire) {
    this.wire = wire;
  }

  /** One block of the stream: an event, or what stands between events. */
  record Event(String name, String id, String data, String comment) {
    long seq() {
      return Json.read(data.getBytes(StandardCharsets.UTF_8)).path("seq").longValue(-1);
    }

    boolean isFrame() {
      return name.isEmpty() && !data.isEmpty();
    }
  }

  static EventReader open(Surface surface, String target, Map<String, String> headers)
      throws IOException {
    var wire = surface.unix();
    wire.request("GET", target, headers, null);
    var head = wire.head();
    if (head.status() != 200 || !head.header("Content-Type").equals("text/event-stream")) {
      throw new IOException("not a stream but " + head.status());
    }
    return new EventReader(wire);
  }

  static EventReader open(Surface surface, String target) throws IOException {
    return open(surface, target, Map.of());
  }

  /** The next block; null at the end of the stream. */
  @Nullable Event next() throws IOException {
    var name = "";
    var id = "";
    var data = "";
    var comment = "";
    for (var line = wire.bodyLine(); line != null; line = wire.bodyLine()) {
      if (line.isEmpty()) {
        return new Event(name, id, data, comment);
      } else if (line.startsWith("event: ")) {
        name = line.substring(7);
      } else if (line.startsWith("id: ")) {
        id = line.substring(4);
      } else if (line.startsWith("data: ")) {
        data = line.substring(6);
      } else if (line.startsWith(": ")) {
        comment = line.substring(2);
      }
    }
    return null;
  }

  /** All blocks up to the end of the stream. */
  List<Event> rest() throws IOException {
    var events = new ArrayList<Event>();
    for (var event = next(); event != null; event = next()) {
      events.add(event);
    }
    return events;
  }

  /** Frames up to the mark that says that history ends here. */
  List<Event> history() throws IOException {
    var events = new ArrayList<Event>();
    for (var event = next(); event != null && !event.name().equals("caught_up"); event = next()) {
      if (event.isFrame()) {
        events.add(event);
      }
    }
    return events;
  }

  /** The next line that only shows that the stream is alive. */
  Event nextComment() throws IOException {
    for (var event = next(); event != null; event = next()) {
      if (!event.comment().isEmpty()) {
        return event;
      }
    }
    throw new IOException("the stream ended");
  }

  Event nextFrame() throws IOException {
    for (var event = next(); event != null; event = next()) {
      if (event.isFrame()) {
        return event;
      }
    }
    throw new IOException("the stream ended");
  }

  @Override
  public void close() throws IOException {
    wire.close();
  }
}
