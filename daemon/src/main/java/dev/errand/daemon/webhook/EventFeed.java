package dev.errand.daemon.webhook;

import dev.errand.core.frame.Frame;
import dev.errand.core.frame.FrameCodec;
import dev.errand.core.journal.Cursor;
import dev.errand.core.journal.Journal;
import dev.errand.core.journal.Page;
import dev.errand.core.journal.StreamKey;
import dev.errand.core.task.SessionId;
import dev.errand.core.task.TaskId;
import dev.errand.core.time.Time;
import dev.errand.wire.json.JsonFrameCodec;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The events of the tasks of one session that a webhook asked for, in the order in which they were
 * recorded, from a cursor on. Output of one task that is not posted yet is one event, the newest.
 * Used by one thread.
 */
final class EventFeed {
  private static final Logger log = LoggerFactory.getLogger(EventFeed.class);

  /** Output of one task is posted this often. */
  static final Duration OUTPUT_PAUSE = Duration.ofSeconds(1);

  private static final int FRAMES_AT_ONCE = 256;

  /** After this many reads the caller may look whether it is to stop. */
  private static final int READS_AT_ONCE = 64;

  /** So many events are held; later ones are read when some of them are posted. */
  private static final int HELD_MAX = 256;

  /** So many frames are read again after a restart at most, where none of them was to be posted. */
  private static final int UNSAVED_FRAMES_MAX = 10_000;

  private final SessionId sessionId;
  private final List<WebhookEvent> wanted;
  private final Journal journal;
  private final FrameCodec codec;
  private final Time clock;

  /** What is to be posted, by its key, oldest first. */
  private final LinkedHashMap<String, Posting.OfEvent> held = new LinkedHashMap<>();

  /** The ticks when output of a task was last posted. */
  private final Map<TaskId, Long> toldAt = new HashMap<>();

  private Cursor read;
  private long unsaved;
  private boolean behind;

  EventFeed(
      SessionId sessionId,
      List<WebhookEvent> wanted,
      Cursor after,
      Journal journal,
      FrameCodec codec,
      Time clock) {
    this.sessionId = sessionId;
    this.wanted = wanted;
    this.read = after;
    this.journal = journal;
    this.codec = codec;
    this.clock = clock;
  }

  /** The oldest event that is not posted yet; null if there is none so far. */
  Posting.@Nullable OfEvent first() {
    if (!wanted.isEmpty()) {
      readOn();
    }
    var oldest = held.firstEntry();
    return oldest == null ? null : oldest.getValue();
  }

  private void readOn() {
    behind = true;
    for (var reads = 0; reads < READS_AT_ONCE && held.size() < HELD_MAX; reads++) {
      var page = journal.readAll(read, FRAMES_AT_ONCE);
      if (page.next().equals(read)) {
        behind = false;
        return;
      }
      page.entries().forEach(this::take);
      read = page.next();
      unsaved += page.entries().size();
    }
  }

  private void take(Page.Entry entry) {
    if (entry.stream().kind() != StreamKey.Kind.TASK
        || entry.frame().damaged()
        || !JsonFrameCodec.isOf(sessionId, entry.frame())) {
      return;
    }
    Frame.OfTask frame;
    try {
      frame = codec.decodeTask(entry.frame());
    } catch (RuntimeException e) {
      log.warn("a frame cannot be read; the webhook of session {} leaves it out", sessionId, e);
      return;
    }
    var kind = WebhookEvent.of(frame.event());
    if (kind == null || !wanted.contains(kind)) {
      return;
    }
    var event = new Posting.OfEvent(kind, frame, entry.cursor(), false);
    var ofOutput = frame.taskId().value();
    if (kind == WebhookEvent.OUTPUT) {
      held.remove(ofOutput);
      held.putLast(ofOutput, event);
    } else {
      // What comes after output of the same task does not wait for it.
      held.computeIfPresent(ofOutput, (_, it) -> it.atOnce());
      held.putLast(event.id(), event);
    }
  }

  /** How long that event has to wait, so that a task that writes much is not told of too often. */
  Duration untilDue(Posting.OfEvent event) {
    var last = toldAt.get(event.frame().taskId());
    if (event.kind() != WebhookEvent.OUTPUT || event.urgent() || last == null) {
      return Duration.ZERO;
    }
    return OUTPUT_PAUSE.minusNanos(clock.ticks() - last);
  }

  /** Whether there may be more to read at once. */
  boolean isBehind() {
    return behind;
  }

  /** Takes away what was posted or given up. */
  void done(Posting.OfEvent event) {
    var now = clock.ticks();
    toldAt.values().removeIf(it -> now - it >= OUTPUT_PAUSE.toNanos());
    if (event.kind() == WebhookEvent.OUTPUT) {
      held.remove(event.frame().taskId().value());
      toldAt.put(event.frame().taskId(), now);
    } else {
      held.remove(event.id());
    }
    unsaved = 0;
  }

  /** Where a restart may go on, if that is far from what was saved; null if it is not. */
  @Nullable Cursor unsaved() {
    return held.isEmpty() && unsaved > UNSAVED_FRAMES_MAX ? read : null;
  }

  void saved() {
    unsaved = 0;
  }
}
